import { BadRequest, PayloadTooLarge } from '../../../platform/errors.js';
import type { JsonValue } from '../../../platform/json.js';
import { parseSentJson } from '../../../platform/json/whole-json.js';
import { decodeDocument } from '../../../platform/text/charsets/document-charset.js';
import { type JsonExcess, measureJson } from '../../../platform/json/json-measure.js';

/** Deeper values could not be serialised again, because `JSON.stringify` is recursive. */
const MAX_JSON_DEPTH = 1000;
/** Each value costs a microsecond on its way into an event, and far more memory than its text. */
const MAX_JSON_VALUES = 200_000;

/**
 * Parses a body that is declared as JSON; undefined when it is only white space.
 * @throws BadRequest when it is not JSON, or nested deeper than `MAX_JSON_DEPTH`; PayloadTooLarge for more than `MAX_JSON_VALUES`.
 */
export function parseJsonBody(bytes: Buffer, charset: string | undefined): JsonValue | undefined {
  const text = decodeDocument(bytes, { mediaType: 'application/json', charset });
  if (text === undefined) throw new BadRequest('The request body is declared as JSON but is not valid text');
  if (text.trim() === '') return undefined;
  const excess = excessOf(text);
  if (excess === 'depth')
    throw new BadRequest(`The JSON body is nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (excess === 'values') throw new PayloadTooLarge(`The JSON body has more than ${MAX_JSON_VALUES} values`);
  return parse(text);
}

function parse(text: string): JsonValue {
  try {
    return parseSentJson(text);
  } catch (error) {
    // The parser's message quotes the body: it goes to the client, who sent it, and to no log.
    throw new BadRequest(`The request body is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
}

/** Some senders label JSON as text. Returns the object or list that `text` holds, or undefined (spec §4.3). */
export function sniffJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text) || excessOf(text) !== undefined) return undefined;
  try {
    return parseSentJson(text);
  } catch {
    return undefined;
  }
}

/** A level takes two characters and a value one, so short texts need no measuring. */
function excessOf(text: string): JsonExcess | undefined {
  if (text.length <= 2 * MAX_JSON_DEPTH) return undefined;
  return measureJson(text, { depth: MAX_JSON_DEPTH, values: MAX_JSON_VALUES }).excess;
}
