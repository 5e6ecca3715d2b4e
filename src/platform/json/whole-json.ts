import { isJsonObject, type JsonValue } from '../json.js';
import { type Wholeness, wholeText } from '../text/whole-text.js';
import { stringifyJson } from './exact-number.js';
import { orderedObject } from './ordered-object.js';
import { parseJson } from './parse-json.js';

/** An escape of half of a surrogate pair. `stringifyJson` writes whole pairs as characters. */
const HALF = /(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]/;
const ESCAPES = /\\u[dD][89abAB]..\\u[dD][c-fC-F]..|\\u([dD][89a-fA-F]..)|\\[^]/g;
const BYTE = /^dc[89a-f]/i;
const MAX_NAMED_PLACES = 5;
const MAX_PLACE_CHARACTERS = 200;

/** A text that was changed: its place, such as `rows[0].name`, and what it became. */
export interface WholeChange {
  place: string;
  became: Wholeness;
}

/** Returns JSON text in which no text and no key holds half of a surrogate pair (`wholeText`), and what was changed. */
export function wholeJson(json: string): { json: string; changes: WholeChange[] } {
  if (!HALF.test(json)) return { json, changes: [] };
  const changes: WholeChange[] = [];
  const value = whole(parseJson(json), '', changes);
  return changes.length === 0 ? { json, changes } : { json: stringifyJson(value), changes };
}

/** The same for a text that need not be JSON: any other text stays as it is. */
export function wholeJsonText(text: string): { json: string; changes: WholeChange[] } {
  try {
    return wholeJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return { json: text, changes: [] };
    throw error;
  }
}

function whole(value: JsonValue, place: string, changes: WholeChange[]): JsonValue {
  if (typeof value === 'string') return changed(value, place, changes);
  if (Array.isArray(value)) return value.map((item, index) => whole(item, `${place}[${index}]`, changes));
  if (!isJsonObject(value)) return value;
  return orderedObject(
    Object.entries(value).map(([key, item]) => {
      const name = changed(key, below(place, wholeText(key).text), changes);
      return [name, whole(item, below(place, name), changes)];
    }),
  );
}

function below(place: string, key: string): string {
  return place === '' ? key : `${place}.${key}`;
}

function changed(text: string, place: string, changes: WholeChange[]): string {
  const { text: made, became } = wholeText(text);
  if (became !== undefined) changes.push({ place, became });
  return made;
}

/** Returns a message that names the changed places of `what`; undefined if there are none. */
export function wholeNote(what: string, changes: readonly WholeChange[]): string | undefined {
  if (changes.length === 0) return undefined;
  const notes = [
    [
      placesOf(changes, 'base64'),
      'contains bytes that are not text and was encoded as base64, as BASE64_ENCODE does',
    ],
    [placesOf(changes, 'escape'), 'holds half of a character, which became its escape'],
  ].filter(([places]) => places !== '');
  return notes.map(([places, said]) => `${what}: ${places} ${said}`).join('. ');
}

function placesOf(changes: readonly WholeChange[], kind: Wholeness): string {
  const places = changes.filter(({ became }) => became === kind).map(({ place }) => place || 'the value');
  const named = places.slice(0, MAX_NAMED_PLACES).map((place) => place.slice(0, MAX_PLACE_CHARACTERS));
  const more = places.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/**
 * Parses JSON that another program sent: half of a surrogate pair there stands for no character, and becomes the six
 * characters of its escape. So it cannot pass for one of our bytes (`textOfBytes`).
 * @throws SyntaxError of `JSON.parse`.
 */
export function parseSentJson(text: string): JsonValue {
  return parseJson(spelledJson(text));
}

/** Returns the JSON text of another program as `parseSentJson` reads it. */
export function spelledJson(json: string): string {
  return withSpelledHalves(json, () => true);
}

/** The same for JSON that a template may have written: escapes of bytes stay bytes. @throws SyntaxError. */
export function parseTemplateJson(text: string): JsonValue {
  return parseJson(withSpelledHalves(text, (digits) => !BYTE.test(digits)));
}

function withSpelledHalves(json: string, isSpelled: (digits: string) => boolean): string {
  if (!HALF.test(json)) return json;
  return json.replace(ESCAPES, (found: string, digits: string | undefined) =>
    digits !== undefined && isSpelled(digits) ? `\\${found.toLowerCase()}` : found,
  );
}
