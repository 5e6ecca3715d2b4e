import { runTool, ToolFailed } from '../../embedded/run-tool.js';

/** The system user of a start by root: no other service shares its processes and files. */
export const OWN_USER = 'fabula';

const LIMIT_MS = 30_000;
const NO_LOGIN = '/usr/sbin/nologin';
/** The commands of the usual systems: those of shadow, and those of BusyBox. */
const WAYS: readonly (readonly [string, ...string[]][])[] = [
  [['useradd', '--system', '--user-group', '--no-create-home', '--shell', NO_LOGIN, OWN_USER]],
  [
    ['addgroup', '-S', OWN_USER],
    ['adduser', '-S', '-D', '-H', '-G', OWN_USER, '-s', NO_LOGIN, OWN_USER],
  ],
];

/** Creates the system user as root. Returns false if this machine has no program that can. */
export async function createOwnUser(): Promise<boolean> {
  for (const commands of WAYS) if (await ranAll(commands)) return true;
  return false;
}

async function ranAll(commands: readonly (readonly [string, ...string[]])[]): Promise<boolean> {
  try {
    for (const [command, ...args] of commands) await runTool(command, args, { timeoutMs: LIMIT_MS });
    return true;
  } catch (error) {
    if (error instanceof ToolFailed) return false;
    throw error;
  }
}
