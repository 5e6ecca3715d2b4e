import { isIP } from 'node:net';

/** The address of a repository, taken apart. */
export interface GitRemote {
  protocol: 'https' | 'http' | 'ssh';
  /** Without the brackets of IPv6. */
  host: string;
  port: number;
  /** The user of an ssh address; `git` unless it names one. */
  user: string;
  /** With a slash at its beginning. */
  path: string;
  /** In the form of a URL, without a secret. */
  url: string;
}

const PORTS = { https: 443, http: 80, ssh: 22 };
const LONGEST = 1_000;
/** `git@host:group/name.git`; a path that begins with `//` would be a URL. */
const SHORT_FORM = /^([A-Za-z0-9_][A-Za-z0-9._-]*)@([A-Za-z0-9][A-Za-z0-9.-]*):(?!\/\/)([^\s]+)$/;
const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9.])?$/;
const USER = /^[A-Za-z0-9_][A-Za-z0-9._-]*$/;
/** No white space, controls, quotes or backslashes: parts of it reach a command of the ssh server. */
const PATH = /^\/[^\s\p{Cc}'"\\`$;|&<>]+$/u;

/**
 * Returns the repository that an address names: `https://…`, `http://…`, `ssh://…` or `git@host:path`. Undefined for any
 * other text, and for one with a password, a query or a fragment.
 */
export function gitRemote(written: string): GitRemote | undefined {
  const short = SHORT_FORM.exec(written);
  const text = short === null ? written : `ssh://${short[1]}@${short[2]}/${short[3]}`;
  if (text.length > LONGEST || !URL.canParse(text)) return undefined;
  const { protocol: scheme, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const protocol = scheme.slice(0, -1);
  if (protocol !== 'https' && protocol !== 'http' && protocol !== 'ssh') return undefined;
  if (password !== '' || search !== '' || hash !== '' || (username !== '' && protocol !== 'ssh'))
    return undefined;
  const host = hostname.replace(/^\[|\]$/g, '');
  const user = username === '' ? 'git' : username;
  const isSound = (isIP(host) !== 0 || HOST.test(host)) && USER.test(user) && PATH.test(pathname);
  if (!isSound || pathname.split('/').includes('..')) return undefined;
  const given = port === '' ? PORTS[protocol] : Number(port);
  if (given === 0) return undefined;
  const place = `${isIP(host) === 6 ? `[${host}]` : host}${given === PORTS[protocol] ? '' : `:${given}`}`;
  const url = `${protocol}://${protocol === 'ssh' ? `${user}@` : ''}${place}${pathname}`;
  return { protocol, host, port: given, user, path: pathname, url };
}

/** Returns whether git takes a text as the name of a branch; stricter than git itself, so that no tool reads it otherwise. */
export function isBranchName(name: string): boolean {
  const isPlain = /^[\p{L}\p{N}][\p{L}\p{N}._/+#=-]{0,199}$/u.test(name);
  const parts = name.split('/');
  const isSound = parts.every((part) => part !== '' && !part.startsWith('.') && !/\.(?:lock)?$/.test(part));
  return isPlain && isSound && !name.includes('..') && name !== 'HEAD';
}
