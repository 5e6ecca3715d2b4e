// `node bin/build-server.mjs [FOLDER]`: builds what runs on a server into `dist`, or into FOLDER: one bundle for each kind of
// process, with all packages inside, and a short file that starts it. Beside a bundle stands a map of its lines, for stack traces.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { build, context } from 'esbuild';
import { licencesOf, packagesIn } from './licences.mjs';
import { root } from './run.mjs';

/** Entry points of the bundles. */
const BUNDLES = {
  web: 'src/server.ts',
  worker: 'src/app/face.ts',
  cli: 'src/app/programs.ts',
  thread: 'src/app/thread.ts',
};
/** The files that are run, with the code that starts each. Those of `workers` are compiled from their sources. */
const STARTERS = {
  web: "require('./web.bundle.js');",
  thread: "require('./thread.bundle.js');",
  'isolated-job-process': "require('./worker.bundle.js').runIsolated();",
  cli: "require('./cli.bundle.js').runCommand();",
  'try-account': "require('./cli.bundle.js').tryAccount();",
};
/** The program that tests start instead of `web`: Fabula with a door for them (`test/support/product`). */
const TEST_PRODUCT = {
  bundles: {
    product: 'test/support/product/product-process.ts',
    worker: BUNDLES.worker,
    thread: BUNDLES.thread,
  },
  starters: {
    product: "require('./product.bundle.js');",
    thread: STARTERS.thread,
    'isolated-job-process': STARTERS['isolated-job-process'],
  },
};
/** Drivers of other databases, which knex names and nothing here uses. */
const OTHER_DRIVERS = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'oracledb',
  'pg',
  'pg-query-stream',
  'sqlite3',
  'tedious',
];
const COMMON = {
  absWorkingDir: root,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  // Names of modules are in the bundle: they do not depend on where the packages lie.
  preserveSymlinks: true,
  logLevel: 'warning',
};

/** The files of `workers` share a bundle. */
const sharedWorker = {
  name: 'shared worker',
  setup({ onResolve }) {
    onResolve({ filter: /\/src\/app\/face\.js$/ }, () => ({
      path: '../worker.bundle.js',
      external: true,
    }));
  },
};

/** How the bundles are made; `options` are some of esbuild's own. */
const bundlesIn = (folder, options, bundles = BUNDLES) => ({
  ...COMMON,
  entryPoints: Object.entries(bundles).map(([name, file]) => ({ in: file, out: `${name}.bundle` })),
  outdir: folder,
  bundle: true,
  sourcesContent: false,
  external: OTHER_DRIVERS,
  ...options,
});

/** How the bundles of a release are made. */
const SHIPPED = {
  minifySyntax: true,
  legalComments: 'none',
  sourcemap: true,
  metafile: true,
};

/** Builds the test product into the folder, by the same rules as a release. */
export async function buildTestProduct(folder) {
  await build(bundlesIn(folder, SHIPPED, TEST_PRODUCT.bundles));
  await writeStarters(folder, TEST_PRODUCT.starters);
}

/** Builds into the folder. */
export async function buildServer(folder) {
  const { metafile } = await build(bundlesIn(folder, SHIPPED));
  for (const name of Object.keys(BUNDLES)) mapLines(path.join(folder, `${name}.bundle.js.map`));
  await writeStarters(folder);
  const packages = packagesIn(metafile);
  writeFileSync(path.join(folder, 'LICENCES.txt'), licencesOf(packages));
  const named = packages.map(({ name, version }) => ({ name, version }));
  writeFileSync(path.join(folder, 'packages.json'), `${JSON.stringify(named, null, 2)}\n`);
}

/**
 * Leaves one entry for each line of a bundle that is of our own: where it comes from. A whole map would cost a process 87 MB when
 * it logs its first error.
 */
function mapLines(file) {
  const map = JSON.parse(readFileSync(file, 'utf8'));
  const names = map.sources.map((source) =>
    path.relative(root, path.resolve(path.dirname(file), source)).replaceAll(path.sep, '/'),
  );
  const sources = names.filter((name) => /^(?:migrations|src|workers)\//.test(name));
  const numbers = new Map(sources.map((name, number) => [name, number]));
  const lines = decode(map.mappings).map((entries) => {
    const [, source, line] = entries.find((entry) => entry.length > 1) ?? [];
    const number = numbers.get(names[source]);
    return number === undefined ? [] : [[0, number, line, 0]];
  });
  const left = { sources: sources.map((name) => `../${name}`), names: [], mappings: encode(lines) };
  writeFileSync(file, JSON.stringify({ version: 3, ...left }));
}

/** Returns esbuild's context for quick builds, one after the other; packages are loaded from where they are installed. */
export async function quickBuilds(folder) {
  await writeStarters(folder, { ...STARTERS, dev: "require('./cli.bundle.js').dev();" });
  return context(bundlesIn(folder, { packages: 'external', sourcemap: true, logLevel: 'silent' }));
}

/** Writes what does not change with the sources: the short files that start the bundles, and the board's pages and fonts. */
async function writeStarters(folder, starters = STARTERS) {
  await build({
    ...COMMON,
    entryPoints: ['workers/*.ts'],
    outdir: path.join(folder, 'workers'),
    bundle: true,
    plugins: [sharedWorker],
  });
  for (const [name, start] of Object.entries(starters)) {
    writeFileSync(path.join(folder, `${name}.js`), `${start}\n`);
  }
  cpSync(path.join(root, 'node_modules/@bull-board/ui/dist'), path.join(folder, 'board/dist'), {
    recursive: true,
  });
  for (const font of ['geist', 'geist-mono']) {
    cpSync(
      path.join(root, `node_modules/@fontsource-variable/${font}/files/${font}-latin-wght-normal.woff2`),
      path.join(folder, `board/dist/static/fonts/${font}.woff2`),
    );
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist'));
  mkdirSync(folder, { recursive: true });
  await buildServer(folder);
}
