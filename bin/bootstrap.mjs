// Prepares what every entry point needs before our own code can run: Node itself, the packages, the build.
// Plain Node without dependencies: it runs on a fresh clone.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withCheckoutLock } from './checkout-lock.mjs';
import { BootstrapError, root, run } from './run.mjs';

const PACKAGES_STAMP = path.join(root, 'node_modules', '.fabula-packages');
const BUILD_STAMP = '.fabula-build';
const BUILD_INPUTS = [
  'src',
  'workers',
  'migrations',
  'clients/typescript',
  'assets/gallery',
  'bin/build-console.mjs',
  'bin/build-server.mjs',
  'bin/licences.mjs',
  'bin/console-config.mjs',
  'tsconfig.json',
  'package-lock.json',
];
/** Source files of the server and of the console. */
const SOURCE_FILE = /\.(?:ts|tsx|css|html|js|svg|json)$/;
const INSTALL_LIMIT_MS = 15 * 60_000;
const BUILD_LIMIT_MS = 5 * 60_000;

/** A release has the build, with all packages inside, and no sources: there is nothing to install and to build. */
const isRelease = !existsSync(path.join(root, 'src'));

/** Refuses a Node that is too old, before it causes errors that are harder to understand. */
function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 20) return;
  throw new BootstrapError(
    `Fabula needs Node 20 or later; this is ${process.version} (${process.execPath}).`,
  );
}

/** Installs the packages of package-lock.json unless they are installed; `say(line)` shows progress. */
export async function ensurePackages(say) {
  if (isRelease || read(PACKAGES_STAMP) === packagesHash()) return;
  await withCheckoutLock(root, say, async () => {
    if (read(PACKAGES_STAMP) === packagesHash()) return;
    await timed(say, 'Installing packages (npm ci; a minute or two the first time)', async () => {
      const hash = packagesHash();
      await installPackages();
      writeFileSync(PACKAGES_STAMP, hash);
    });
  });
}

/**
 * Runs `npm ci`: installs exactly the packages of package-lock.json, and checks each against its digest there. Runs no
 * scripts of packages: none is needed. Installs nothing if the lock file does not match package.json.
 */
async function installPackages() {
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run(npmCommand(), ['ci', ...options], INSTALL_LIMIT_MS);
  } catch (error) {
    if (!/code EUSAGE/.test(error.output ?? '')) throw error;
    throw new BootstrapError(
      `${error.message}\n\npackage-lock.json does not match package.json, so nothing was installed.\n` +
        'If you changed package.json: run "npm install --ignore-scripts", review its changes in package-lock.json, and start again.\n' +
        'If you did not: this checkout is damaged; clone it again.',
    );
  }
}

/** Compiles to `dist` unless it is up to date. An interrupted build does not change the old `dist`. */
export async function ensureBuild(say) {
  if (!isRelease) await ensureFolder(say, { step: 'Building', folder: 'dist', build: buildProduct });
}

/** The same for the product that tests start: to `.cache/product`. */
export async function ensureTestProduct(say) {
  await ensureFolder(say, {
    step: 'Building the product for tests',
    folder: path.join('.cache', 'product'),
    inputs: [...BUILD_INPUTS, 'test/support/product'],
    build: async (folder) => (await import('./build-server.mjs')).buildTestProduct(folder),
  });
}

async function ensureFolder(say, { step, folder, inputs = BUILD_INPUTS, build }) {
  const place = path.join(root, folder);
  const isCurrent = () => read(path.join(place, BUILD_STAMP)) === hashOf(inputs);
  if (isCurrent()) return;
  await withCheckoutLock(root, say, async () => {
    if (!isCurrent()) await timed(say, step, () => replaceFolder(place, { hash: hashOf(inputs), build }));
  });
}

async function replaceFolder(place, { hash, build }) {
  const fresh = `${place}.new`;
  rmSync(fresh, { recursive: true, force: true });
  await build(fresh);
  writeFileSync(path.join(fresh, BUILD_STAMP), hash);
  rmSync(place, { recursive: true, force: true });
  renameSync(fresh, place);
}

/** Builds all that runs into a folder: bundles of the server, and the console, which people see in a browser. */
export async function buildProduct(folder) {
  await Promise.all([
    runScript('build-server.mjs', folder),
    runScript('build-console.mjs', path.join(folder, 'console')),
  ]);
}

function runScript(name, folder) {
  return run([process.execPath, path.join(root, 'bin', name)], [folder], BUILD_LIMIT_MS);
}

/** Hash of the lock file, and of platform and Node version, on which native packages depend. */
function packagesHash() {
  const hash = createHash('sha256').update(
    `${process.platform} ${process.arch} ${process.versions.modules}\n`,
  );
  return hash.update(readFileSync(path.join(root, 'package-lock.json'))).digest('hex');
}

function hashOf(inputs) {
  const hash = createHash('sha256');
  const files = inputs.flatMap((entry) => filesUnder(entry, SOURCE_FILE));
  for (const file of files) {
    hash.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** Returns the files under a folder of the checkout, or the file itself, by their names from the root; TypeScript unless told. */
export function filesUnder(entry, kind = /\.ts$/) {
  const full = path.join(root, entry);
  if (!existsSync(full)) return [];
  if (/\.\w+$/.test(entry)) return [entry];
  return readdirSync(full, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((child) => {
      const inside = `${entry}/${child.name}`;
      // Built files are no sources: the package of the client has its build inside.
      if (child.isDirectory()) return child.name === 'dist' ? [] : filesUnder(inside, kind);
      return kind.test(child.name) ? [inside] : [];
    });
}

/** Returns all files under a folder by their names from it, with slashes, in the order of these names. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** Returns the npm that started this process, else the one on PATH. */
export function npmCommand() {
  const started = process.env.npm_execpath ?? '';
  return /npm-cli\.c?js$/.test(started) && existsSync(started) ? [process.execPath, started] : ['npm'];
}

/** Prints the start of a step, and its duration at the end. */
export async function timed(say, step, work) {
  const started = Date.now();
  say(`${step} …`);
  await work();
  say(`${step.replace(/ \(.*/, '')}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** Runs an entry point and ends the process with its code; an expected error is one message, no stack. */
export async function enter(main) {
  try {
    checkNode();
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${error instanceof BootstrapError ? error.message : error?.stack}\n`);
    process.exitCode = 1;
  }
}

/** Returns the text of a file; undefined if the file is missing. */
export function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
