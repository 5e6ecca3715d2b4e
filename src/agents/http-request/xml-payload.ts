import { XMLBuilder } from 'fast-xml-parser';
import { PermanentJobError } from '../../errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json.js';

const builder = new XMLBuilder({ format: false, suppressEmptyNode: false });

const NAME = /^(?:[\p{L}_][\p{L}\p{N}_.:-]*|#text)$/u;
const MAX_DEPTH = 100;

/**
 * An object as an XML document: keys are elements, lists are repeated elements.
 * @throws PermanentJobError for a key that cannot be an element's name.
 */
export function buildXml(object: JsonObject): string {
  checkNames(object, MAX_DEPTH);
  return `<?xml version="1.0" encoding="UTF-8"?>${builder.build(object)}`;
}

function checkNames(value: JsonValue, depth: number): void {
  if (depth === 0) throw new PermanentJobError('payload: nested too deep for XML');
  if (Array.isArray(value)) for (const item of value) checkNames(item, depth - 1);
  if (!isJsonObject(value)) return;
  for (const [key, item] of Object.entries(value)) {
    if (!NAME.test(key))
      throw new PermanentJobError(`payload: "${key}" cannot be the name of an XML element`);
    checkNames(item, depth - 1);
  }
}
