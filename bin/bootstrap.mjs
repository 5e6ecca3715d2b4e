// What every entry point needs before any of our own code can run: Node itself, the packages, the build.
// Plain Node without dependencies: it runs on a fresh clone.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withCheckoutLock } from './checkout-lock.mjs';
import { BootstrapError, root, run } from './run.mjs';

const PACKAGES_STAMP = path.join(root, 'node_modules', '.fabula-packages');
const BUILD_STAMP = path.join(root, 'dist', '.fabula-build');
const BUILD_INPUTS = [
  'src',
  'workers',
  'migrations',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
];
const INSTALL_LIMIT_MS = 15 * 60_000;
const BUILD_LIMIT_MS = 5 * 60_000;

/** Refuses a Node that is too old, before anything fails in a way that is harder to read. */
export function checkNode() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major >= 20) return;
  throw new BootstrapError(
    `Fabula needs Node 20 or later; this is ${process.version} (${process.execPath}).`,
  );
}

/** Installs the packages of package-lock.json unless that was done already; `say(line)` shows progress. */
export async function ensurePackages(say) {
  if (read(PACKAGES_STAMP) === packagesHash()) return;
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
 * `npm ci`: what package-lock.json names, and nothing else; each package is compared with the digest there. No script of a
 * package is run: none is needed. Where the lock file does not fit package.json nothing is installed.
 */
async function installPackages() {
  const options = ['--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run(npmCommand(), ['ci', ...options], INSTALL_LIMIT_MS);
  } catch (error) {
    if (!/code EUSAGE/.test(error.output ?? '')) throw error;
    throw new BootstrapError(
      `${error.message}\n\npackage-lock.json does not fit package.json, so nothing was installed.\n` +
        'If you changed package.json: run "npm install --ignore-scripts", look at what it changes in package-lock.json, and start again.\n' +
        'If you did not: this checkout is not whole; fetch it anew.',
    );
  }
}

/** Compiles to `dist` unless it is up to date. An interrupted build leaves the old `dist` as it was. */
export async function ensureBuild(say) {
  if (read(BUILD_STAMP) === sourcesHash()) return;
  await withCheckoutLock(root, say, async () => {
    if (read(BUILD_STAMP) === sourcesHash()) return;
    await timed(say, 'Building', buildInto);
  });
}

async function buildInto() {
  const hash = sourcesHash();
  const fresh = path.join(root, 'dist.new');
  rmSync(fresh, { recursive: true, force: true });
  const tsc = path.join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await run([process.execPath, tsc], ['-p', 'tsconfig.build.json', '--outDir', fresh], BUILD_LIMIT_MS);
  writeFileSync(path.join(fresh, path.basename(BUILD_STAMP)), hash);
  rmSync(path.join(root, 'dist'), { recursive: true, force: true });
  renameSync(fresh, path.join(root, 'dist'));
}

/** Packages belong to a lock file, and native ones to a platform and a Node version too. */
function packagesHash() {
  const hash = createHash('sha256').update(
    `${process.platform} ${process.arch} ${process.versions.modules}\n`,
  );
  return hash.update(readFileSync(path.join(root, 'package-lock.json'))).digest('hex');
}

function sourcesHash() {
  const hash = createHash('sha256');
  for (const file of BUILD_INPUTS.flatMap(filesUnder)) {
    hash.update(`${file}\n`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** Returns the TypeScript files under a folder of the checkout, or the file itself, by their names from the root. */
export function filesUnder(entry) {
  const full = path.join(root, entry);
  if (!existsSync(full)) return [];
  if (/\.\w+$/.test(entry)) return [entry];
  return readdirSync(full, { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((child) => {
      const inside = `${entry}/${child.name}`;
      if (child.isDirectory()) return filesUnder(inside);
      return child.name.endsWith('.ts') ? [inside] : [];
    });
}

/** npm as this process was started by, else the one on PATH. */
export function npmCommand() {
  const started = process.env.npm_execpath ?? '';
  return /npm-cli\.c?js$/.test(started) && existsSync(started) ? [process.execPath, started] : ['npm'];
}

/** Says what begins, and how long it took when it is done. */
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

/** The text of a file; undefined where there is none. */
export function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  }
}
