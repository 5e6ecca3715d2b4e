// `npm run release [-- --out FOLDER] [--dirty] [--no-install]`: makes the files of a release in the folder `release`, or in FOLDER:
//   fabula-<version>.tgz        the program: dist, assets, documentation, deployment files; no sources
//   fabula-<version>.cdx.json   its packages, with digests and licences (CycloneDX)
//   SHA256SUMS                  the checksums of both
// The same commit gives the same bytes with the same versions of Node and npm (docs/understand/releasing.md). A checkout with changes is
// refused, unless --dirty is given. With --no-install the installed packages are used as they are.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildProduct, enter, ensurePackages, filesIn } from './bootstrap.mjs';
import { BootstrapError, root } from './run.mjs';
import { bomText } from './sbom.mjs';

/** The files of a release besides `dist`. A file that only builds, tests and measures stays out. */
const PARTS = [
  '.env.example',
  '.npmrc',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'LICENSE',
  'Procfile',
  'README.md',
  'SECURITY.md',
  'assets',
  'bin',
  'clients',
  'deploy',
  'docs',
  'package.json',
];

const say = (line) => process.stderr.write(`${line}\n`);
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
/** The form of the lines of `git ls-files -s`: mode, digest and stage, then a tab and the name. */
const isProgram = (line) => line.startsWith('100755');
const nameIn = (line) => line.slice(line.indexOf('\t') + 1);

await enter(async () => {
  const flag = { type: 'boolean' };
  const options = { out: { type: 'string' }, dirty: flag, 'no-install': flag };
  const { values } = parseArgs({ options });
  if (!values.dirty && git('status', '--porcelain') !== '') {
    throw new BootstrapError('The checkout has changes: commit them first, or give --dirty.');
  }
  if (!values['no-install']) await ensurePackages(say);
  const out = path.resolve(values.out ?? path.join(root, 'release'));
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const name = `fabula-${version}`;
  // Under a fixed name, which is the first folder of the archive.
  const stage = mkdtempSync(path.join(os.tmpdir(), 'fabula-release-'));
  try {
    await fill(path.join(stage, name));
    mkdirSync(out, { recursive: true });
    await pack(stage, path.join(out, `${name}.tgz`));
    writeFileSync(
      path.join(out, `${name}.cdx.json`),
      bomText({ time: commitTime(), dist: path.join(stage, name, 'dist') }),
    );
    writeSums(out, [`${name}.cdx.json`, `${name}.tgz`]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  say(`Made in ${out}: ${name}.tgz, ${name}.cdx.json, SHA256SUMS`);
  return 0;
});

/** Lays the files of the release into a folder. The build is made anew, so nothing of older builds is in it. */
async function fill(folder) {
  await buildProduct(path.join(folder, 'dist'));
  // Only what git knows: nothing that lies about in a checkout gets into a release.
  const tracked = git('ls-files', '-z', '--', ...PARTS)
    .split('\0')
    .filter(Boolean);
  for (const file of tracked) cpSync(path.join(root, file), path.join(folder, file));
  const facts = { commit: git('rev-parse', 'HEAD') };
  writeFileSync(path.join(folder, 'release.json'), `${JSON.stringify(facts)}\n`);
  const programs = new Set(
    git('ls-files', '-s', '--', ...PARTS)
      .split('\n')
      .filter(isProgram)
      .map(nameIn),
  );
  for (const file of filesIn(folder)) chmodSync(path.join(folder, file), programs.has(file) ? 0o755 : 0o644);
}

/** Packs files in the order of their names, with the time of the commit and without owners. */
async function pack(stage, file) {
  const { create } = await import('tar');
  const portable = { portable: true, mtime: commitTime(), noDirRecurse: true };
  create({ file, sync: true, cwd: stage, gzip: { level: 9, portable: true }, ...portable }, filesIn(stage));
}

function commitTime() {
  return new Date(Number(git('log', '-1', '--format=%ct')) * 1000);
}

function writeSums(folder, names) {
  const lines = names.map((name) => `${digestOf(path.join(folder, name))}  ${name}\n`);
  writeFileSync(path.join(folder, 'SHA256SUMS'), lines.join(''));
}

function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
