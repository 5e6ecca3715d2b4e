import { XMLBuilder } from 'fast-xml-parser';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';

const builder = new XMLBuilder({ format: false, suppressEmptyNode: false });

const NAME = /^(?:[\p{L}_][\p{L}\p{N}_.:-]*|#text)$/u;
const MAX_DEPTH = 100;
/** Same limit as for reading XML: writing and reading both block the event loop. */
const MAX_VALUES = 200_000;
const MAX_CHARACTERS = 10 * 1024 * 1024;

/**
 * Converts an object to an XML document: keys are elements, lists are repeated elements.
 * @throws PermanentJobError for a key that is no valid element name, and for an object that is too large.
 */
export function buildXml(object: JsonObject): string {
  checkValue(object, MAX_DEPTH, { values: 0, characters: 0 });
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build(object)}`;
}

/** The counts so far. */
interface Size {
  values: number;
  characters: number;
}

function checkValue(value: JsonValue, depth: number, size: Size): void {
  if (depth === 0) throw new PermanentJobError('payload: nested too deep for XML');
  count(value, size);
  if (Array.isArray(value)) for (const item of value) checkValue(item, depth - 1, size);
  if (!isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (!NAME.test(key))
      throw new PermanentJobError(`payload: "${key.slice(0, 100)}" cannot be the name of an XML element`);
    checkValue(item, depth - 1, size);
  }
}

function count(value: JsonValue, size: Size): void {
  size.values += 1;
  if (typeof value === 'string') size.characters += value.length;
  if (size.values > MAX_VALUES)
    throw new PermanentJobError(`payload: more than ${MAX_VALUES} values are too many for XML`);
  if (size.characters > MAX_CHARACTERS)
    throw new PermanentJobError(`payload: more than ${MAX_CHARACTERS} characters are too many for XML`);
}
