import { unescape as unescapePercent } from 'node:querystring';
import { PayloadTooLarge } from '../../platform/errors.js';
import type { JsonObject } from '../../platform/json.js';
import { decodeBytes } from '../../platform/text/charsets/decode-bytes.js';
import { setNested } from './nested-names.js';

const MAX_PARAMETERS = 10_000;

/** Parses an `application/x-www-form-urlencoded` body. @throws as `parseParameters`. */
export function parseFormBody(bytes: Buffer, charset: string | undefined): JsonObject {
  // Most receivers still parse a form whose bytes are invalid in the charset: read it byte by byte.
  return parseParameters(decodeBytes(bytes, charset) ?? bytes.toString('latin1'));
}

/**
 * Parses `a=1&b[]=2` (a query string, or a form) into an object, names nested as in Rails. Broken
 * percent-encoding is tolerated.
 * @throws PayloadTooLarge for more than 10,000 parameters, BadRequest for names nested too deep.
 */
export function parseParameters(text: string): JsonObject {
  const parameters: JsonObject = {};
  if (text === '') return parameters;
  const pairs = text.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) {
    throw new PayloadTooLarge(`More than ${MAX_PARAMETERS} parameters`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals === -1 ? pair : pair.slice(0, equals);
    const value = equals === -1 ? '' : pair.slice(equals + 1);
    setNested(parameters, decodePart(name), decodePart(value));
  }
  return parameters;
}

function decodePart(part: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  return spaced.includes('%') ? unescapePercent(spaced) : spaced;
}
