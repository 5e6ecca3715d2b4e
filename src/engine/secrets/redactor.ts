import type { JsonValue } from '../../json.js';
import { secretForms, SHORTEST_PART } from '../../templates/secret-scrubber.js';
import { markerOf } from '../../text/secret-reference.js';

/** Shorter ones are no secrets, and would hide half of an answer. */
const SHORTEST_WHOLE = 3;
/** Forms of all secrets together; the longest texts are looked for first. */
const MAX_FORMS = 2_000;

/** Takes secrets out of texts and values; see `secretForms` for how they may be written. */
export type Redactor = ReturnType<typeof createRedactor>;

export function createRedactor() {
  /** The credential by each form that is looked for within texts. */
  const parts = new Map<string, string>();
  /** The credential by each text or number that is a secret as a whole. */
  const wholes = new Map<string, string>();
  let pattern: RegExp | undefined;

  const within = (text: string): string => {
    pattern ??= patternOf(parts);
    return text.replace(pattern, (form) => markerOf(parts.get(form) ?? ''));
  };
  const redactText = (text: string): string => {
    if (parts.size === 0 && wholes.size === 0) return text;
    const whole = wholes.get(text.trim());
    if (whole !== undefined) return markerOf(whole);
    return parts.size === 0 ? text : within(text);
  };
  const redactNumber = (value: number): JsonValue => {
    const credential = wholes.get(String(value)) ?? parts.get(String(value));
    return credential === undefined ? value : markerOf(credential);
  };
  const redact = (value: JsonValue): JsonValue => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value === 'number') return redactNumber(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(redact);
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [redactText(key), redact(item)]));
  };

  return {
    /** From now on `secret` is looked for, and stands for this credential. */
    add(credential: string, secret: string): void {
      for (const whole of [secret, secret.trim(), numberText(secret)]) {
        if (whole.length >= SHORTEST_WHOLE && !wholes.has(whole)) wholes.set(whole, credential);
      }
      if (secret.length < SHORTEST_PART) return;
      for (const form of secretForms(secret)) {
        if (parts.size < MAX_FORMS && !parts.has(form)) parts.set(form, credential);
      }
      pattern = undefined;
    },

    /** The text without the secrets. */
    text: redactText,

    /** The value without them, in texts, keys and numbers. */
    value<Value extends JsonValue>(value: Value): Value {
      return (parts.size === 0 && wholes.size === 0 ? value : redact(value)) as Value;
    },
  };
}

/** A numeric secret as a number of JSON shows it. */
function numberText(secret: string): string {
  const number = /^\s*[-+]?\d+(?:\.\d+)?\s*$/.test(secret) ? Number(secret) : Number.NaN;
  return Number.isFinite(number) ? String(number) : '';
}

/** The longest first: one secret may be part of another. */
function patternOf(parts: ReadonlyMap<string, string>): RegExp {
  const forms = [...parts.keys()].toSorted((a, b) => b.length - a.length);
  return new RegExp(forms.map((form) => form.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')).join('|'), 'g');
}
