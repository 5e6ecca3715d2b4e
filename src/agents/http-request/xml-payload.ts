import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { isCharacter, isXmlName } from '../../platform/text/xml/xml-names.js';
import { optionText } from '../options/options.js';

const MAX_DEPTH = 100;
/** Same limit as for reading XML: writing and reading both block the event loop. */
const MAX_VALUES = 200_000;
const MAX_CHARACTERS = 10 * 1024 * 1024;
const TEXT = '#text';

/** Marks, and characters that XML may not have. */
const SPECIAL = /[&<>"'\p{Cc}\p{Surrogate}\uFFFE\uFFFF]/gu;
const REFERENCES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&apos;'],
  // Without an escape, it would be read as a line feed.
  ['\r', '&#13;'],
]);

/**
 * Converts an object to an XML document: keys are elements, lists are repeated elements, `#text` is the text beside them.
 * A value of `parseXml` becomes a document that it reads as the same value; attributes become elements.
 * @throws PermanentJobError for a key that is no element name, a value that XML cannot hold, and an object that is too large.
 */
export function buildXml(object: JsonObject): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${new XmlWriter().write(object)}`;
}

class XmlWriter {
  #values = 0;
  #characters = 0;
  readonly #parts: string[] = [];

  write(object: JsonObject): string {
    this.#count(object);
    this.#addMembers(object, MAX_DEPTH);
    return this.#parts.join('');
  }

  #addMembers(object: JsonObject, depth: number): void {
    for (const [key, value] of Object.entries(object)) {
      if (key === TEXT) this.#addText(value);
      else if (isXmlName(key)) this.#addElements(key, value, depth - 1);
      else
        throw new PermanentJobError(`payload: "${key.slice(0, 100)}" cannot be the name of an XML element`);
    }
  }

  #addElements(name: string, value: JsonValue, depth: number): void {
    if (!Array.isArray(value)) return this.#addElement(name, value, depth);
    this.#count(value);
    for (const item of value) {
      if (Array.isArray(item)) {
        throw new PermanentJobError(
          `payload: "${name.slice(0, 100)}" is a list of lists, which XML does not have`,
        );
      }
      this.#addElement(name, item, depth - 1);
    }
  }

  #addElement(name: string, value: JsonValue, depth: number): void {
    if (depth <= 0) throw new PermanentJobError('payload: nested too deep for XML');
    this.#count(value);
    if (value === null) {
      this.#parts.push(`<${name}/>`);
      return;
    }
    this.#parts.push(`<${name}>`);
    if (isJsonObject(value)) this.#addMembers(value, depth);
    else this.#parts.push(escaped(value));
    this.#parts.push(`</${name}>`);
  }

  /** A list of texts is one text. */
  #addText(value: JsonValue): void {
    for (const item of Array.isArray(value) ? value : [value]) {
      this.#count(item);
      if (Array.isArray(item) || isJsonObject(item)) {
        throw new PermanentJobError('payload: "#text" has to be a text in XML');
      }
      if (item !== null) this.#parts.push(escaped(item));
    }
  }

  #count(value: JsonValue): void {
    this.#values += 1;
    if (typeof value === 'string') this.#characters += value.length;
    if (this.#values > MAX_VALUES)
      throw new PermanentJobError(`payload: more than ${MAX_VALUES} values are too many for XML`);
    if (this.#characters > MAX_CHARACTERS)
      throw new PermanentJobError(`payload: more than ${MAX_CHARACTERS} characters are too many for XML`);
  }
}

function escaped(value: JsonValue): string {
  return optionText(value).replace(SPECIAL, (character) => {
    const reference = REFERENCES.get(character);
    if (reference !== undefined) return reference;
    const code = character.charCodeAt(0);
    if (isCharacter(code)) return character;
    const digits = code.toString(16).toUpperCase().padStart(4, '0');
    throw new PermanentJobError(`payload: the character U+${digits} is not allowed in XML`);
  });
}
