import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;
const FORMAT = /^[A-Za-z0-9_-]{43}$/;

/** Returns a new token of a session or a link: 256 random bits in base64url. */
export function newToken(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Returns the stored form of a token, SHA-256 in hex; undefined for a text that is no token. */
export function tokenDigest(token: string): string | undefined {
  return FORMAT.test(token) ? createHash('sha256').update(token).digest('hex') : undefined;
}
