import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { PackageManager, StoreName } from './package-managers.js';
import { PACKAGE_MANAGERS } from './package-managers.js';
import { runTool, ToolFailed } from '../run-tool.js';

const INSTALL_LIMIT_MS = 10 * 60_000;
const ASK_LIMIT_MS = 10_000;
const APT_LISTS = '/var/lib/apt/lists';

/** Returns the package manager of this machine; undefined if it has no known one. */
export function packageManagerOf(searchPath: string): PackageManager | undefined {
  const folders = [
    ...searchPath.split(path.delimiter),
    '/usr/bin',
    '/sbin',
    '/opt/homebrew/bin',
    '/usr/local/bin',
  ];
  return PACKAGE_MANAGERS.find(({ command }) =>
    folders.some((folder) => existsSync(path.join(folder, command))),
  );
}

/**
 * Returns the prefix of the package manager's command that gives the right to install; undefined if this user may
 * not. Uses sudo only if it works without a password, so that nothing waits for input.
 */
export async function privilegeFor(manager: PackageManager): Promise<string[] | undefined> {
  const isRoot = process.getuid?.() === 0;
  if (!manager.asRoot) return isRoot ? undefined : [];
  if (isRoot) return [];
  try {
    await runTool('sudo', ['-n', 'true'], { timeoutMs: ASK_LIMIT_MS });
    return ['sudo', '-n'];
  } catch (error) {
    if (error instanceof ToolFailed) return undefined;
    throw error;
  }
}

/**
 * Installs the packages of one store with the machine's package manager.
 * @throws ToolFailed of the first (preferred) set of packages if no set could be installed.
 */
export async function installWithManager(
  manager: PackageManager,
  store: StoreName,
  privilege: string[],
): Promise<void> {
  const call = (args: string[]): Promise<string> => {
    const settings = Object.entries(manager.env ?? {}).map(([name, value]) => `${name}=${value}`);
    const [command = '', ...rest] = [...privilege, 'env', ...settings, manager.command, ...args];
    return runTool(command, rest, { timeoutMs: INSTALL_LIMIT_MS });
  };
  const update = async (): Promise<void> => {
    if (manager.update !== undefined) await call(manager.update);
  };
  const fresh = manager.update === undefined || !hasLists();
  if (fresh) await update();
  const error = await firstThatInstalls(manager, store, call);
  if (error === undefined) return;
  if (fresh) throw error;
  // Old lists name versions that the mirror no longer has.
  await update();
  const again = await firstThatInstalls(manager, store, call);
  if (again !== undefined) throw again;
}

async function firstThatInstalls(
  manager: PackageManager,
  store: StoreName,
  call: (args: string[]) => Promise<string>,
): Promise<Error | undefined> {
  let first: Error | undefined;
  for (const packages of manager.packages[store]) {
    try {
      await call([...manager.install, ...packages]);
      return undefined;
    } catch (error) {
      if (!(error instanceof ToolFailed)) throw error;
      first ??= error;
    }
  }
  return first;
}

function hasLists(): boolean {
  return existsSync(APT_LISTS) && readdirSync(APT_LISTS).some((name) => name.includes('_Packages'));
}
