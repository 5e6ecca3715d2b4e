// The licences of the packages inside the bundles, as their own files say them.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run.mjs';

/** Packages whose files are copied into the build. */
const COPIED = [
  'node_modules/@bull-board/ui',
  'node_modules/@fontsource-variable/geist',
  'node_modules/@fontsource-variable/geist-mono',
];
const IS_LICENCE = /^(?:licen[cs]e|notice|copying)\b/i;

/** Returns name, version and licence of each package, with the text of its licence. */
export function licencesOf(packages) {
  return packages
    .map(({ folder, name, version, license }) => {
      const files = readdirSync(path.join(root, folder)).filter((file) => IS_LICENCE.test(file));
      const texts = files.map((file) => readFileSync(path.join(root, folder, file), 'utf8').trim());
      return [`${name} ${version} (${license})`, ...texts].join('\n\n');
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`);
}

/** Returns the packages whose code is in a bundle, by name. `inputs` are those of esbuild's metafile. */
export function packagesIn({ inputs }) {
  const folders = Object.keys(inputs).map(
    (file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0],
  );
  const known = [...new Set([...folders, ...COPIED])].filter((folder) => folder !== undefined);
  return known
    .map((folder) => ({
      folder,
      ...JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
