import { createHash, randomBytes } from 'node:crypto';

/** A user and a password for Digest authentication. */
export interface DigestCredentials {
  user: string;
  password: string;
}

/** A server's challenge (RFC 7616 §3.3). Texts have one character for each byte. */
export interface DigestChallenge {
  realm: string;
  nonce: string;
  opaque: string | undefined;
  algorithm: string;
  /** Undefined: the old form without it (RFC 2069). */
  qop: 'auth' | 'auth-int' | undefined;
  /** The credentials were right, but the nonce is too old. */
  isStale: boolean;
  /** The user is sent as a hash. */
  hashesUser: boolean;
  /** The server reads `username*`. */
  readsUtf8: boolean;
}

/** The part of a request that its digest covers. */
interface Covered {
  method: string;
  /** Path and query. */
  uri: string;
  body: Buffer | undefined;
}

/** Names of algorithms, and of their hashes in OpenSSL. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ['MD5', 'md5'],
  ['SHA-256', 'sha256'],
  ['SHA-512-256', 'sha512-256'],
]);

/** An honest challenge is far shorter. */
const MAX_CHARACTERS = 8192;
const PARTS = /([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:[\t ]*=[\t ]*(?:"((?:[^"\\]|\\.)*)"|([^\t ,"]+)))?/g;
const CONTROL = /\p{Cc}/u;

/** Returns the first challenge of `www-authenticate` that is Digest with a known algorithm; a server lists the best first. */
export function digestChallenge(values: string[]): DigestChallenge | undefined {
  const texts = values.filter((value) => value.length <= MAX_CHARACTERS && !CONTROL.test(value));
  return texts.flatMap(challengesIn).find((challenge) => challenge !== undefined);
}

function challengesIn(value: string): (DigestChallenge | undefined)[] {
  const digests: Map<string, string>[] = [];
  let current: Map<string, string> | undefined;
  for (const [, name = '', quoted, plain] of value.matchAll(PARTS)) {
    const text = quoted?.replace(/\\(.)/g, '$1') ?? plain;
    if (text !== undefined) current?.set(name.toLowerCase(), text);
    else if (name.toLowerCase() === 'digest') digests.push((current = new Map()));
    else current = undefined;
  }
  return digests.map(challengeOf);
}

function challengeOf(parts: ReadonlyMap<string, string>): DigestChallenge | undefined {
  const nonce = parts.get('nonce');
  const algorithm = parts.get('algorithm') ?? 'MD5';
  const qops = parts
    .get('qop')
    ?.split(',')
    .map((qop) => qop.trim().toLowerCase());
  const qop = qops?.includes('auth') ? 'auth' : qops?.includes('auth-int') ? 'auth-int' : undefined;
  if (nonce === undefined || hashOf(algorithm) === undefined || (qops !== undefined && qop === undefined))
    return undefined;
  return {
    realm: parts.get('realm') ?? '',
    nonce,
    opaque: parts.get('opaque'),
    algorithm,
    qop,
    isStale: parts.get('stale')?.toLowerCase() === 'true',
    hashesUser: parts.get('userhash')?.toLowerCase() === 'true',
    readsUtf8: parts.get('charset')?.toLowerCase() === 'utf-8',
  };
}

function hashOf(algorithm: string): string | undefined {
  return HASHES.get(algorithm.toUpperCase().replace(/-SESS$/, ''));
}

/**
 * Returns the `authorization` header, one character for each byte. `count` is the number of requests with this nonce, from
 * 1; `cnonce` is the client's own nonce.
 */
export function digestAuthorization(
  challenge: DigestChallenge,
  credentials: DigestCredentials,
  {
    covered,
    count,
    cnonce = randomBytes(16).toString('hex'),
  }: { covered: Covered; count: number; cnonce?: string },
): string {
  const { realm, nonce, opaque, algorithm, qop, hashesUser, readsUtf8 } = challenge;
  const name = hashOf(algorithm) ?? 'md5';
  const hash = (text: string | Buffer) =>
    createHash(name)
      .update(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
      .digest('hex');
  const [user, password] = [bytesOf(credentials.user), bytesOf(credentials.password)];
  const secret = hash(`${user}:${realm}:${password}`);
  const first = /-sess$/i.test(algorithm) ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const { method, uri, body = Buffer.alloc(0) } = covered;
  const second = hash(`${method}:${uri}${qop === 'auth-int' ? `:${hash(body)}` : ''}`);
  const nc = count.toString(16).padStart(8, '0');
  const middle = qop === undefined ? nonce : `${nonce}:${nc}:${cnonce}:${qop}`;
  const parts = [
    hashesUser ? `username="${hash(`${user}:${realm}`)}"` : userPart(credentials.user, readsUtf8),
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(uri)}`,
    `algorithm=${algorithm}`,
    `response="${hash(`${first}:${middle}:${second}`)}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop === undefined ? [] : [`qop=${qop}`, `nc=${nc}`, `cnonce="${cnonce}"`]),
    ...(hashesUser ? ['userhash=true'] : []),
  ];
  return `Digest ${parts.join(', ')}`;
}

function userPart(user: string, readsUtf8: boolean): string {
  const isAscii = /^[\x20-\x7e]*$/.test(user);
  return isAscii || !readsUtf8
    ? `username=${quoted(bytesOf(user))}`
    : `username*=UTF-8''${encodeURIComponent(Buffer.from(user).toString())}`;
}

function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}
