import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { GitDoor } from './git-door.js';
import type { GitRemote } from './git-remote.js';

/** A secret for the host of a repository; undefined: it needs none. */
export type GitSecret = { user: string; password: string } | { privateKey: string } | undefined;

/** What git needs for one repository. */
export interface WorkspaceOrder {
  remote: GitRemote;
  door: GitDoor;
  secret: GitSecret;
  /** Public keys of an ssh host, each `TYPE BASE64`. */
  hostKeys: readonly string[];
  /** Trusted certificates (PEM). */
  certificates: readonly string[];
  /** The value of PATH. */
  searchPath: string;
}

/** A private folder with a repository and its configuration. */
export interface GitWorkspace {
  folder: string;
  env: Record<string, string>;
  /** The address that git is given: it leads through the door. */
  url: string;
  remove(): Promise<void>;
}

const PREFIX = 'fabula-git-';
/** No folder is used for so long: its process was killed. */
const LEFT_BEHIND_MS = 30 * 60_000;

/** Makes a private folder for git. Its configuration is the only one that git reads. */
export async function makeGitWorkspace(order: WorkspaceOrder): Promise<GitWorkspace> {
  const folder = await mkdtemp(path.join(tmpdir(), `${PREFIX}${process.pid}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const url = addressFor(order);
    await writePrivate(path.join(folder, 'config'), configOf(order, folder));
    if (order.remote.protocol === 'https')
      await writePrivate(path.join(folder, 'certificates'), order.certificates.join('\n'));
    if (order.remote.protocol === 'ssh') await writeSshFiles(order, folder);
    else if (order.secret !== undefined && 'password' in order.secret)
      await writePrivate(path.join(folder, 'logins'), loginFor(url, order.secret));
    return { folder, url, env: environmentOf(order, folder), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Removes folders whose process was killed. */
export async function removeLeftWorkspaces(nowMs = Date.now()): Promise<void> {
  const names = await readdir(tmpdir());
  for (const name of names.filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: nowMs }));
    // The folder of another user stays.
    if (nowMs - mtimeMs > LEFT_BEHIND_MS)
      await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

const writePrivate = (file: string, text: string) => writeFile(file, text, { mode: 0o600, flag: 'wx' });

function addressFor({ remote, door }: WorkspaceOrder): string {
  if (remote.protocol === 'http') return `http://127.0.0.1:${door.port}${remote.path}`;
  if (remote.protocol === 'https') return remote.url;
  const place = remote.host.includes(':') ? `[${remote.host}]` : remote.host;
  return `ssh://${remote.user}@${place}${remote.path}`;
}

function configOf({ remote, door }: WorkspaceOrder, folder: string): string {
  const proxy = remote.protocol === 'https' ? `http://git:${door.password}@127.0.0.1:${door.port}` : '';
  const logins = quoted(`store --file=${path.join(folder, 'logins')}`);
  return `[core]
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	symlinks = false
	fsmonitor = false
	protectNTFS = true
	protectHFS = true
	bigFileThreshold = 2m
	packedGitLimit = 256m
	packedGitWindowSize = 16m
	deltaBaseCacheLimit = 16m
[protocol]
	allow = never
[protocol "${remote.protocol}"]
	allow = always
[http]
	followRedirects = false
	sslVerify = true
	sslCAInfo = ${quoted(path.join(folder, 'certificates'))}
	proxy = ${quoted(proxy)}
	proxyAuthMethod = basic
	lowSpeedLimit = 100
	lowSpeedTime = 30
[credential]
	helper = ${logins}
	useHttpPath = false
[fetch]
	recurseSubmodules = false
	unpackLimit = 1
[submodule]
	recurse = false
[push]
	recurseSubmodules = no
	followTags = false
	gpgSign = false
[pack]
	threads = 1
	windowMemory = 64m
[gc]
	auto = 0
[maintenance]
	auto = false
[transfer]
	bundleURI = false
[log]
	showSignature = false
[user]
	useConfigOnly = true
`;
}

/** Returns a value of a configuration file in quotes. */
function quoted(value: string): string {
  return `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function environmentOf(order: WorkspaceOrder, folder: string): Record<string, string> {
  return {
    PATH: order.searchPath,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    TMPDIR: folder,
    LC_ALL: 'C',
    GIT_DIR: path.join(folder, 'repository'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: path.join(folder, 'config'),
    GIT_ATTR_NOSYSTEM: '1',
    GIT_ALLOW_PROTOCOL: order.remote.protocol,
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '/bin/false',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    ...(order.remote.protocol === 'ssh' && {
      GIT_SSH_VARIANT: 'ssh',
      GIT_SSH_COMMAND: sshCommand(order, folder),
    }),
  };
}

/** The connection leads through the door; the key of the host is looked up under its own name. */
function sshCommand({ remote, door }: WorkspaceOrder, folder: string): string {
  const options = [
    'HostName=127.0.0.1',
    `Port=${door.port}`,
    `HostKeyAlias=${remote.host}`,
    `UserKnownHostsFile=${path.join(folder, 'known_hosts')}`,
    'GlobalKnownHostsFile=/dev/null',
    'StrictHostKeyChecking=yes',
    'UpdateHostKeys=no',
    'CheckHostIP=no',
    `IdentityFile=${path.join(folder, 'key')}`,
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'BatchMode=yes',
    'PreferredAuthentications=publickey',
    'ClearAllForwardings=yes',
    'ForwardAgent=no',
    'PermitLocalCommand=no',
    'ProxyCommand=none',
    'CanonicalizeHostname=no',
    'ControlMaster=no',
    'ControlPath=none',
    'RequestTTY=no',
    'ConnectTimeout=20',
    'ServerAliveInterval=15',
    'LogLevel=ERROR',
  ];
  return ['ssh', '-F', 'none', ...options.flatMap((option) => ['-o', `'${option}'`])].join(' ');
}

async function writeSshFiles({ remote, secret, hostKeys }: WorkspaceOrder, folder: string): Promise<void> {
  await writePrivate(
    path.join(folder, 'known_hosts'),
    hostKeys.map((key) => `${remote.host} ${key}\n`).join(''),
  );
  const key = secret !== undefined && 'privateKey' in secret ? secret.privateKey : '';
  await writePrivate(path.join(folder, 'key'), `${key.replaceAll('\r\n', '\n').trim()}\n`);
}

/** Returns the line of git's store of logins. */
function loginFor(url: string, { user, password }: { user: string; password: string }): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}\n`;
}
