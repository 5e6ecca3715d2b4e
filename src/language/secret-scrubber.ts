import { markerOf } from '../platform/secrets/secret-reference.js';

/** Shorter values occur in ordinary text by chance; replacing them would reveal more than it hides. */
export const SHORTEST_PART = 6;
/** Base64 of a few bytes also occurs in ordinary text by chance. */
const SHORTEST_BASE64 = 8;

/**
 * Returns a function that replaces credential values in a message, in all their forms, by `[credential name]`.
 * For logs and errors only: it is a safety net; templates and agents must not put secrets there.
 */
export function createSecretScrubber(credentials: ReadonlyMap<string, string>): (text: string) => string {
  const names = new Map<string, string>();
  for (const [name, secret] of credentials) {
    for (const form of secretForms(secret)) if (!names.has(form)) names.set(form, name);
  }
  // Replaces the longest first: one secret may be part of another.
  const forms = [...names].toSorted(([a], [b]) => b.length - a.length);
  return (text) =>
    forms.reduce((scrubbed, [form, name]) => scrubbed.replaceAll(form, () => markerOf(name)), text);
}

/** Returns `text` without the values of `credentials`; see createSecretScrubber. */
export function scrubSecrets(text: string, credentials: ReadonlyMap<string, string>): string {
  return createSecretScrubber(credentials)(text);
}

/**
 * Returns the forms in which servers echo a secret: unchanged, in one letter case, escaped for URLs, JSON and HTML, in
 * hexadecimal, and in base64 (alone, inside a longer text, or twice). None for a short secret.
 */
export function secretForms(secret: string): string[] {
  if (secret.length < SHORTEST_PART) return [];
  const base64 = Buffer.from(secret).toString('base64');
  const hex = Buffer.from(secret).toString('hex');
  const forms = [
    secret,
    ...(secret.trim().length < SHORTEST_PART ? [] : [secret.trim()]),
    secret.toLowerCase(),
    secret.toUpperCase(),
    ...percentForms(secret),
    ...jsonForms(secret),
    ...htmlForms(secret),
    hex,
    hex.toUpperCase(),
    ...base64Forms(secret),
    ...base64Forms(base64),
  ];
  return [...new Set(forms)].filter((form) => form.length >= SHORTEST_PART);
}

function percentForms(secret: string): string[] {
  const percent = encodeURIComponent(Buffer.from(secret).toString());
  // The encodings of RFC 3986 and of HTML forms.
  const strict = percent.replace(/[!'()*~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return [percent, strict].flatMap((form) => {
    const lower = form.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
    return [form, lower, form.replaceAll('%20', '+'), lower.replaceAll('%20', '+')];
  });
}

/** The spellings in a JSON text, and in JSON nested in JSON. Some encoders escape more than required. */
function jsonForms(secret: string): string[] {
  const json = inJson(secret);
  const ascii = json.replace(/[^\x20-\x7e]/g, unicodeEscape);
  const forms = [json, ascii, ascii.replace(/[<>&]/g, unicodeEscape), json.replaceAll('/', '\\/')];
  return [...forms, inJson(json), inJson(ascii)];
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function htmlForms(secret: string): string[] {
  const entities = (quote: string, apostrophe: string) =>
    secret.replace(/[&<>"']/g, (character) =>
      character === '"' ? quote : character === "'" ? apostrophe : (ENTITIES[character] ?? character),
    );
  return [
    entities('&quot;', '&#39;'),
    entities('&#34;', '&#x27;'),
    entities('"', "'"),
    entities('&quot;', "'"),
  ];
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/**
 * Returns the secret's base64 text at each of the three offsets it can have inside a longer one, without the
 * characters at the ends that depend on adjacent bytes; also as base64url.
 */
function base64Forms(secret: string): string[] {
  const shifted = [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]).toString('base64');
    const start = offset === 0 ? 0 : offset + 1;
    const bytes = offset + Buffer.byteLength(secret);
    return encoded.slice(start, Math.floor((bytes * 8) / 6));
  });
  const whole = Buffer.from(secret).toString('base64');
  const standard = [whole, whole.replace(/=+$/, ''), ...shifted].filter(
    (form) => form.length >= SHORTEST_BASE64,
  );
  return [...standard, ...standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}
