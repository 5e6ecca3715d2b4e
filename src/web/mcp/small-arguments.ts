import { PayloadTooLarge, Unprocessable } from '../../platform/errors.js';
import { readJsonBody } from '../../platform/http/body/json-body-reader.js';
import { isJsonObject, type JsonObject } from '../../platform/json.js';

/** The most that path and query take, as in an address; and their values. */
const MAX_CHARACTERS = 16 * 1024;
const MAX_VALUES = 1_000;

/**
 * Reads arguments that are few and small: all but those of a body.
 * @throws PayloadTooLarge, BadRequest; Unprocessable for a refused name.
 */
export function readSmall(text: string): JsonObject {
  if (text.length > MAX_CHARACTERS) {
    throw new PayloadTooLarge(`The arguments other than the body exceed ${MAX_CHARACTERS} characters`);
  }
  const { value, problems } = readJsonBody({ bytes: Buffer.from(text), contentType: undefined }, MAX_VALUES);
  if (problems.length > 0) throw new Unprocessable(problems);
  return isJsonObject(value) ? value : {};
}
