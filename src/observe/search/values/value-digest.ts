import { createHash } from 'node:crypto';
import { CREDENTIAL_HEADERS } from '../../../platform/headers/credential-headers.js';
import type { PayloadMatch } from '../payload-match.js';
import { comparedText, type Leaf, MAX_INDEXED_DEPTH, MAX_TEXT } from './payload-leaves.js';

/** Bytes of the value's hash, which come first, and of the path's hash after it. */
const VALUE_BYTES = 7;
const PATH_BYTES = 3;

/** Digests that a search asks for: all from the first to the last, both included. One, if the path is known. */
export interface DigestRange {
  first: Buffer;
  last: Buffer;
}

/** Returns the digest of a leaf; values of different tenants have different digests. */
export function leafDigest(tenantId: number, { path, text }: Leaf): Buffer {
  return Buffer.concat([valueHash(tenantId, text), hash(path, PATH_BYTES)]);
}

/** Returns the digests by which the index has a value; undefined if it cannot have it, whatever the payloads hold. */
export function matchDigests(tenantId: number, { path, value }: PayloadMatch): DigestRange | undefined {
  if (value === undefined || !isIndexed(value)) return undefined;
  const text = comparedText(value);
  if (path === undefined) {
    const start = valueHash(tenantId, text);
    return {
      first: Buffer.concat([start, Buffer.alloc(PATH_BYTES, 0)]),
      last: Buffer.concat([start, Buffer.alloc(PATH_BYTES, 0xff)]),
    };
  }
  const steps = path.match(STEP) ?? [];
  if (steps.length > MAX_INDEXED_DEPTH || steps.some(isCredential)) return undefined;
  const digest = leafDigest(tenantId, { path: path.replace(INDEX, '[*]'), text });
  return { first: digest, last: digest };
}

/** A step of a JSON path: its keys hold neither quotes nor brackets (`databasePath`). */
const STEP = /\."[^"]*"|\[\d+\]/g;
const INDEX = /\[\d+\]/g;

/** Null, lists and objects are no leaves. */
function isIndexed(value: string): boolean {
  const text = comparedText(value);
  return text !== '' && text !== 'null' && text.length <= MAX_TEXT && !/^[[{]/.test(text);
}

function isCredential(step: string): boolean {
  return CREDENTIAL_HEADERS.has(step.slice(2, -1).toLowerCase());
}

function valueHash(tenantId: number, text: string): Buffer {
  return hash(`${tenantId} ${text}`, VALUE_BYTES);
}

function hash(text: string, bytes: number): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, bytes);
}
