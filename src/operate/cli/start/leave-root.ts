import { existsSync, lchownSync, lstatSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { AlreadyRunning, takeRunLock } from '../../embedded/run-lock.js';
import { runTool, ToolFailed } from '../../embedded/run-tool.js';
import { type EmbeddedOptions, obtainStores, stopLeftovers } from '../../embedded/stores.js';
import { messageOf } from '../../../platform/errors.js';
import { planStart, type StartPlan } from './start-environment.js';

/** The system user of a start by root: no other service shares its processes and files. */
const OWN_USER = 'fabula';

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

/** The user if none of our own can be created. Other services share it. */
const SHARED_USER = 'nobody';
/** Tried in this order if `FABULA_USER` is not set. */
const USUAL_USERS = [OWN_USER, SHARED_USER];
const ROOT = 0;
/** Entries of a data folder. The owner of anything else is not changed. */
const OURS = [
  'credentials.json',
  'logs',
  'mail',
  'mysql',
  'redis',
  'run',
  'secrets.json',
  'servers',
  'store-passwords.json',
];
/** Entries that a new volume may have. */
const NOBODYS = ['lost+found'];
const TRY_LIMIT_MS = 30_000;

export interface LeaveRootOptions {
  env: NodeJS.ProcessEnv;
  say: (line: string) => void;
  /** Program that checks, as the other user, what a start needs. If a check fails, it prints why and exits non-zero. */
  probe: { command: string; args: string[] };
  confirmInstall?: EmbeddedOptions['confirmInstall'];
  serversDir?: string;
}

interface Account {
  name: string;
  uid: number;
  gid: number;
}

/**
 * If this process was started as root, it becomes another user, and so do the stores, web and workers that it starts.
 * Before that it does what needs root: installs system packages and changes the owner of the data folder. If the
 * switch is not possible, everything runs as root, and a warning says why (notes/stores.md, Addresses and accounts).
 * @throws ConfigError; Error if the user `FABULA_USER` does not exist.
 */
export async function leaveRoot(options: LeaveRootOptions): Promise<void> {
  if (process.getuid?.() !== ROOT) return;
  const plan = await planStart(options.env);
  const account = (await accountFor(plan.config.runAsUser)) ?? (await ownAccount(options));
  if (account?.uid === ROOT) return;
  const problem =
    account === undefined ? 'there is no other user to switch to' : await leaveFor(account, plan, options);
  if (problem === undefined) return;
  options.say(
    `WARNING: started as root, and all processes run as root: ${problem}.\n` +
      'Start it as another user, or set FABULA_USER to another user (root silences this warning).',
  );
}

/**
 * Switches to `found`, or to a user of our own instead of one that others share. Returns the reason if that is not possible,
 * otherwise undefined.
 */
async function leaveFor(
  found: Account,
  plan: StartPlan,
  options: LeaveRootOptions,
): Promise<string | undefined> {
  const { dataDir, runAsUser } = plan.config;
  const strange = strangeIn(dataDir);
  if (strange !== undefined) return `${dataDir} contains files that do not belong to Fabula (${strange})`;
  const unable = await tryAs(found, plan, options);
  if (unable !== undefined) return `${found.name} lacks permissions to run Fabula (${unable})`;
  // Only now: where another user cannot run it, none is created for nothing.
  const isShared = runAsUser === undefined && found.name === SHARED_USER;
  const account = (isShared ? await ownAccount(options) : undefined) ?? found;
  const { uid, gid, name } = account;
  try {
    const unlock = await takeRunLock(path.join(dataDir, 'run', 'start.lock'));
    try {
      const { needDatabase, needRedis } = plan;
      const { say: log, confirmInstall, serversDir } = options;
      await obtainStores({
        dataDir,
        needDatabase,
        needRedis,
        log,
        env: plan.env,
        confirmInstall,
        serversDir,
      });
      await stopLeftovers(dataDir);
    } finally {
      unlock();
    }
    lchownSync(dataDir, uid, gid);
    for (const entry of OURS) giveTo(account, path.join(dataDir, entry));
  } catch (error) {
    // The start itself reports this error later.
    if (error instanceof AlreadyRunning) return undefined;
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return `cannot change the owner of ${dataDir} to ${name} (${messageOf(error)})`;
  }
  if (lstatSync(dataDir).uid !== uid) return `the file system of ${dataDir} does not support file owners`;
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
  Object.assign(options.env, { HOME: dataDir, USER: name, LOGNAME: name });
  options.say(`Started as root; all processes now run as ${name}, the new owner of ${dataDir}.`);
  if (isShared && name === SHARED_USER) options.say(sharedWarning(dataDir));
  return undefined;
}

/** Creates the system user of our own. Undefined: this machine cannot. */
async function ownAccount({ say }: LeaveRootOptions): Promise<Account | undefined> {
  if (!(await createOwnUser())) return undefined;
  say(`Created the dedicated system user ${OWN_USER}.`);
  return accountOf(OWN_USER);
}

function sharedWarning(dataDir: string): string {
  return (
    `WARNING: other services may also run as ${SHARED_USER} and could read the keys and data in ${dataDir}.\n` +
    `Create a system user ${OWN_USER} (useradd --system ${OWN_USER}), or set FABULA_USER to another user.`
  );
}

async function tryAs(
  { uid, gid }: Account,
  { env }: StartPlan,
  { probe }: LeaveRootOptions,
): Promise<string | undefined> {
  try {
    await runTool(probe.command, probe.args, { timeoutMs: TRY_LIMIT_MS, env, uid, gid });
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolFailed)) throw error;
    return error.output.split('\n').at(-1) || messageOf(error);
  }
}

async function accountFor(wanted: string | undefined): Promise<Account | undefined> {
  if (wanted !== undefined) {
    const account = await accountOf(wanted);
    if (account === undefined) throw new Error(`FABULA_USER: user ${wanted} does not exist`);
    return account;
  }
  for (const name of USUAL_USERS) {
    const account = await accountOf(name);
    if (account !== undefined) return account;
  }
  return undefined;
}

async function accountOf(name: string): Promise<Account | undefined> {
  const ask = async (what: string) => Number(await runTool('id', [what, name], { timeoutMs: TRY_LIMIT_MS }));
  try {
    return { name, uid: await ask('-u'), gid: await ask('-g') };
  } catch (error) {
    if (error instanceof ToolFailed) return undefined;
    throw error;
  }
}

/** Returns an entry of the data folder that is not ours, if any. Such a folder may be shared and keeps its owner. */
function strangeIn(dataDir: string): string | undefined {
  if (!existsSync(dataDir)) return undefined;
  return readdirSync(dataDir).find((name) => ![...OURS, ...NOBODYS].includes(name));
}

/** Changes the owner of a file or folder. Symbolic links are not followed: their targets may not be ours. */
function giveTo({ uid, gid }: Pick<Account, 'uid' | 'gid'>, file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  lchownSync(file, uid, gid);
  if (!lstatSync(file).isDirectory()) return;
  for (const name of readdirSync(file)) giveTo({ uid, gid }, path.join(file, name));
}

/** Creates the system user as root. Returns false if this machine has no program that can. */
async function createOwnUser(): Promise<boolean> {
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
