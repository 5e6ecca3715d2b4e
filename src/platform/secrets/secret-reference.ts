import type { JsonValue } from '../json.js';
import { parseJson } from '../json/parse-json.js';
import { stringifyJson } from '../json/exact-number.js';

/** Start of every reference to a secret. It has no special characters of JSON, HTML, URLs or regular expressions. */
const START = '~fabula-secret~';
/** The digit counts how many times to escape the secret as JSON; then follows the signed content in base64url. */
const REFERENCE = /~fabula-secret~([0-9])([A-Za-z0-9_-]+)~/g;
const MAX_ESCAPES = 9;
/** Length in bytes of the signature before the content. */
export const SIGNATURE_BYTES = 16;

/** Text in place of a secret where the secret is not known (decision 0026). */
export interface SecretReference {
  text: string;
  /** How many times to escape the secret as JSON. */
  escapes: number;
  /** Signature and content, in base64url. */
  body: string;
}

/** Content of a reference: a credential of a team, or a function applied to texts that contain references. */
export interface ReferenceContent {
  team: number;
  /** The credential; for a function: the first one in its values. */
  credential: string;
  call?: { name: string; values: JsonValue[] };
}

/** Returns true if the text may contain a reference: searches only for its start. */
export function holdsReference(text: string): boolean {
  return text.includes(START);
}

/** Returns true if the text may contain more than `most` references. */
export function holdsMoreReferences(text: string, most: number): boolean {
  let found = 0;
  for (let at = text.indexOf(START); at !== -1; at = text.indexOf(START, at + 1)) {
    found += 1;
    if (found > most) return true;
  }
  return false;
}

/** Replaces each reference by the result of `by`; undefined leaves it unchanged. */
export function replaceReferences(text: string, by: (found: SecretReference) => string | undefined): string {
  if (!holdsReference(text)) return text;
  return text.replace(
    REFERENCE,
    (found, escapes: string, body: string) => by({ text: found, escapes: Number(escapes), body }) ?? found,
  );
}

/** Splits the text into references and the texts between them. */
export function splitAtReferences(text: string): (string | SecretReference)[] {
  const parts: (string | SecretReference)[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [found, escapes = '0', body = ''] = match;
    if (match.index > end) parts.push(text.slice(end, match.index));
    parts.push({ text: found, escapes: Number(escapes), body });
    end = match.index + found.length;
  }
  if (end < text.length) parts.push(text.slice(end));
  return parts;
}

/** Returns the reference for these signed bytes. */
export function referenceText(signed: Buffer): string {
  return `${START}0${signed.toString('base64url')}~`;
}

/** Returns the content as bytes, for the signature. */
export function writeContent({ team, credential, call }: ReferenceContent): Buffer {
  const content = call === undefined ? [team, credential] : [team, credential, call.name, call.values];
  return Buffer.from(stringifyJson(content));
}

/** Returns the content of a reference's body without checking the signature; undefined if it has none. */
export function readContent(body: string): ReferenceContent | undefined {
  const bytes = Buffer.from(body, 'base64url').subarray(SIGNATURE_BYTES);
  // Much cheaper than a parse error for each text that only looks like a reference.
  if (bytes[0] !== 0x5b) return undefined;
  return contentOf(parsed(bytes.toString()));
}

function contentOf(content: unknown): ReferenceContent | undefined {
  if (!Array.isArray(content)) return undefined;
  const [team, credential, name, values] = content as unknown[];
  if (typeof team !== 'number' || typeof credential !== 'string') return undefined;
  if (name === undefined) return { team, credential };
  if (typeof name !== 'string' || !Array.isArray(values)) return undefined;
  return { team, credential, call: { name, values: values as JsonValue[] } };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined; // bytes that nobody signed
  }
}

/** Returns the credential that this text refers to, if it is one reference, unchanged by any function. */
export function credentialOf(text: string): string | undefined {
  const [reference, ...others] = splitAtReferences(text);
  if (reference === undefined || typeof reference === 'string' || others.length > 0) return undefined;
  return readContent(reference.body)?.credential;
}

/** The text shown in place of a secret. */
export function markerOf(credential: string): string {
  return `[credential ${credential}]`;
}

/** Whether a text holds a marker. */
export function holdsMarker(text: string): boolean {
  return text.includes('[credential ');
}

/** Replaces references by markers, in text to be shown or sent (docs/understand/security.md). */
export function withMarkers(text: string): string {
  return replaceReferences(text, ({ body }) => {
    const content = readContent(body);
    return content && markerOf(content.credential);
  });
}

/** The same for JSON text: markers are escaped for strings. */
export function jsonWithMarkers(json: string): string {
  return replaceReferences(json, ({ body }) => {
    const content = readContent(body);
    return content && stringifyJson(markerOf(content.credential)).slice(1, -1);
  });
}

/** The same for the texts and keys of a value. A value without references is returned unchanged. */
export function valueWithMarkers<Value extends JsonValue>(value: Value): Value {
  if (typeof value === 'string') return withMarkers(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const json = stringifyJson(value);
  return holdsReference(json) ? (parseJson(jsonWithMarkers(json)) as Value) : value;
}

/** For JSON text that becomes a string itself: each secret in it must be escaped once more. */
export function escapedOnceMore(json: string): string {
  return replaceReferences(json, ({ escapes, body }) =>
    escapes < MAX_ESCAPES ? `${START}${escapes + 1}${body}~` : withMarkers(`${START}0${body}~`),
  );
}

/** Returns a new reference for a secret that is to be escaped so many times. */
export function escapedTimes(reference: string, escapes: number): string {
  return `${START}${escapes}${reference.slice(START.length + 1)}`;
}

/** For text that will be parsed as JSON: each secret in its strings is escaped once less. */
export function escapedOnceLess(text: string): string {
  return replaceReferences(text, ({ escapes, body }) => `${START}${Math.max(escapes - 1, 0)}${body}~`);
}
