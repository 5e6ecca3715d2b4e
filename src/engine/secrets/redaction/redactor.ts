import type { JsonObject, JsonValue } from '../../../platform/json.js';
import { secretForms, SHORTEST_PART } from '../../../language/face.js';
import { markerOf, withMarkers } from '../../../platform/secrets/secret-reference.js';
import { isNumeric, type Numeric, readNumeric } from '../../../platform/json/exact-number.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';
import { createFormFinder, type FormFinder } from './form-finder.js';

/** Shorter texts are no secrets, and would redact half of a response. */
const SHORTEST_WHOLE = 3;
/** A longer text is only found as it is: its encoded forms would take too much memory. */
const LONGEST_ENCODED = 16 * 1024;
/** Most white space around a text that is a secret as a whole. */
const MAX_SPACE = 10;

/** Replaces secrets and references in texts and values by markers; `secretForms` lists the encodings it finds. */
export function createRedactor() {
  /** Credential by form to find within texts. */
  const parts = new Map<string, string>();
  /** Credential by text or number that is a secret as a whole. */
  const wholes = new Map<string, string>();
  let longestWhole = 0;
  let finder: FormFinder | undefined;

  const marked = (form: string) => markerOf(parts.get(form) ?? wholes.get(form) ?? '');
  const redactText = (given: string): string => {
    const text = withMarkers(given);
    if (text.length <= longestWhole + MAX_SPACE) {
      const whole = wholes.get(text.trim());
      if (whole !== undefined) return markerOf(whole);
    }
    if (parts.size === 0) return text;
    finder ??= createFormFinder([...parts.keys()]);
    return finder.replace(text, marked);
  };
  const redactNumber = (value: Numeric): JsonValue => {
    const credential = wholes.get(String(value));
    return credential === undefined ? value : markerOf(credential);
  };
  const redact = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return redactText(value);
    if (isNumeric(value)) return redactNumber(value);
    if (typeof value !== 'object' || value === null) return value;
    return Array.isArray(value) ? listOf(value, redact) : objectOf(value, redactText, redact);
  };

  return {
    /** Redacts `secret` from now on, as this credential. */
    add(credential: string, secret: string): void {
      for (const whole of [secret, secret.trim(), numberText(secret)]) {
        if (whole.length < SHORTEST_WHOLE || wholes.has(whole)) continue;
        wholes.set(whole, credential);
        longestWhole = Math.max(longestWhole, whole.length);
      }
      const forms = secret.length > LONGEST_ENCODED ? [secret] : secretForms(secret);
      for (const form of forms) {
        if (!parts.has(form)) parts.set(form, credential);
      }
      finder = undefined;
    },

    /** Returns a message for people, also without short secrets between other words. */
    text(text: string): string {
      return [...wholes.keys()]
        .filter((whole) => whole.length < SHORTEST_PART)
        .reduce((message, whole) => message.replace(alone(whole), () => marked(whole)), redactText(text));
    },

    /** Returns the value without secrets in texts, keys and numbers; the same object if it contains none. */
    value: <Value extends JsonValue>(value: Value): Value => redact(value) as Value,
  };
}

function listOf(list: JsonValue[], redact: (value: JsonValue) => JsonValue): JsonValue[] {
  const redacted = list.map(redact);
  return redacted.some((value, index) => value !== list[index]) ? redacted : list;
}

function objectOf(
  object: JsonObject,
  redactKey: (key: string) => string,
  redact: (value: JsonValue) => JsonValue,
): JsonObject {
  const entries: [string, JsonValue][] = [];
  let isSame = true;
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    const entry: [string, JsonValue] = [redactKey(key), redact(value)];
    isSame &&= entry[0] === key && entry[1] === value;
    entries.push(entry);
  }
  return isSame ? object : orderedObject(entries);
}

/** Returns a numeric secret as JSON would write the number; otherwise ''. */
function numberText(secret: string): string {
  const digits = /^\s*\+?(-?\d+(?:\.\d+)?)\s*$/.exec(secret)?.[1];
  return digits === undefined ? '' : String(readNumeric(digits));
}

function alone(word: string): RegExp {
  const plain = word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_])${plain}(?![\\p{L}\\p{N}_])`, 'gu');
}
