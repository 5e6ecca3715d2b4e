import type { JsonValue } from '../../platform/json.js';
import { charsetOf, mediaTypeOf } from '../../platform/headers/content-type.js';
import { parseFormBody } from './bodies/form-body.js';
import { parseJsonBody } from './bodies/json-body.js';
import { parseMultipartBody } from './bodies/multipart-body.js';
import { parseTextBody } from './bodies/text-body.js';
import { parseXmlBody } from './bodies/xml-body.js';

/** A parsed request body. Functions use undefined for a request without a body. */
export interface ParsedBody {
  value: JsonValue;
  /** Set if `value` is the base64 of binary data. */
  encoding?: 'base64';
}

/** Content types with which some senders label JSON (spec §4.3). */
const SNIFFED_TYPES = new Set(['', 'text/plain', 'application/octet-stream']);

/**
 * Turns the bytes of a body into a value, by its content type (spec §4.3).
 * @throws BadRequest when a declared structure is broken, PayloadTooLarge when it goes over a limit.
 */
export async function parseBody(
  bytes: Buffer,
  contentType: string | undefined,
): Promise<ParsedBody | undefined> {
  if (bytes.length === 0) return undefined;
  const type = mediaTypeOf(contentType);
  const charset = charsetOf(contentType);
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) {
    const value = parseJsonBody(bytes, charset);
    return value === undefined ? undefined : { value };
  }
  if (type === 'application/x-www-form-urlencoded') return { value: parseFormBody(bytes, charset) };
  if (type === 'multipart/form-data') return { value: parseMultipartBody(bytes, contentType ?? '') };
  if (type === 'application/xml' || type === 'text/xml' || type.endsWith('+xml')) {
    return { value: parseXmlBody(bytes, charset) };
  }
  return parseTextBody(bytes, { mediaType: type, charset }, SNIFFED_TYPES.has(type));
}
