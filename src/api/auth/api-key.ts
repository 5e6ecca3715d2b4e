import { createHash, randomBytes } from 'node:crypto';

/** Prefix by which secret scanners and people recognise a key. */
const MARK = 'fab_';
const RANDOM_BYTES = 32;
const FORMAT = /^fab_[A-Za-z0-9_-]{43}$/;
/** Number of characters of a key that stay readable, to distinguish keys. */
const VISIBLE_LENGTH = 10;

/** Returns a new key: `fab_` and 256 random bits in base64url. */
export function newApiKey(): string {
  return MARK + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Returns true if the text has the format of a key. Other texts are refused without a query. */
export function looksLikeApiKey(text: string): boolean {
  return FORMAT.test(text);
}

/** Returns the stored form of a key: SHA-256 in hex. The key has 256 random bits, so no slow hash is needed. */
export function apiKeyDigest(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** Returns the first characters of the key, which lists show. */
export function visiblePrefix(key: string): string {
  return key.slice(0, VISIBLE_LENGTH);
}
