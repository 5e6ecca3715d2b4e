import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PACKAGE_MANAGERS, type StoreName } from './package-managers.js';
import { runTool, ToolFailed } from '../run-tool.js';

const STEP_LIMIT_MS = 5 * 60_000;
const DPKG_STATUS = '/var/lib/dpkg/status';

/** Whether this is a Debian-like system, whose packages can be unpacked without root. */
export function canUnpack(): boolean {
  return existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg') && existsSync(DPKG_STATUS);
}

/**
 * Downloads the packages of one store, with the dependencies that the system lacks, and unpacks them into
 * `<folder>/<store>`. Needs no root: apt uses separate lists and a separate cache, and only reads the status of
 * installed packages. All or nothing: an interrupted try leaves no incomplete folder.
 * @throws ToolFailed with the end of apt's output.
 */
export async function unpackPackages(folder: string, store: StoreName): Promise<void> {
  const work = path.join(folder, `${store}.new`);
  rmSync(work, { recursive: true, force: true });
  const downloads = path.join(work, 'cache', 'archives');
  mkdirSync(path.join(downloads, 'partial'), { recursive: true });
  mkdirSync(path.join(work, 'state', 'lists', 'partial'), { recursive: true });
  await download(work, store);
  const root = path.join(work, 'root');
  mkdirSync(root);
  for (const name of readdirSync(downloads).filter((file) => file.endsWith('.deb'))) {
    await runTool('dpkg', ['-x', path.join(downloads, name), root], { timeoutMs: STEP_LIMIT_MS });
  }
  rmSync(path.join(folder, store), { recursive: true, force: true });
  renameSync(root, path.join(folder, store));
  rmSync(work, { recursive: true, force: true });
}

async function download(work: string, store: StoreName): Promise<void> {
  const options = [
    `Dir::State=${path.join(work, 'state')}`,
    `Dir::State::status=${DPKG_STATUS}`,
    `Dir::Cache=${path.join(work, 'cache')}`,
    'Debug::NoLocking=true',
    'APT::Sandbox::User=',
    'Acquire::Retries=2',
  ].flatMap((option) => ['-o', option]);
  const apt = (args: string[]): Promise<string> =>
    runTool('apt-get', [...options, '-q', '-y', ...args], { timeoutMs: STEP_LIMIT_MS });
  const updated = await apt(['update']).then(() => undefined, asToolFailure);
  const sets = PACKAGE_MANAGERS.find(({ command }) => command === 'apt-get')?.packages[store] ?? [];
  let first: ToolFailed | undefined;
  for (const packages of sets) {
    const failed = await apt(['--no-install-recommends', '--download-only', 'install', ...packages]).then(
      () => undefined,
      asToolFailure,
    );
    if (failed === undefined) return;
    first ??= failed;
  }
  // `update` fails if one of several sources is unreachable, which matters only if no package was found.
  throw updated ?? first ?? new Error(`No known packages for ${store}`);
}

function asToolFailure(error: unknown): ToolFailed {
  if (error instanceof ToolFailed) return error;
  throw error;
}
