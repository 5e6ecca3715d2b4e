import { createHash, randomBytes } from 'node:crypto';

/** Lets secret scanners and people recognise a key of ours. */
const MARK = 'fab_';
const RANDOM_BYTES = 32;
const FORMAT = /^fab_[A-Za-z0-9_-]{43}$/;
/** What is kept readable of a key, to tell one from another. */
const VISIBLE_LENGTH = 10;

/** A new key: `fab_` and 256 random bits in base64url. */
export function newApiKey(): string {
  return MARK + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** Whether the text can be a key at all: other texts are refused without asking the database. */
export function looksLikeApiKey(text: string): boolean {
  return FORMAT.test(text);
}

/** What is stored instead of the key: SHA-256 in hex. The key has 256 random bits, so no slow hash is needed. */
export function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The beginning of the key that lists show. */
export function visiblePrefix(key: string): string {
  return key.slice(0, VISIBLE_LENGTH);
}
