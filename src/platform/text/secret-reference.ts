import type { JsonValue } from '../json.js';

/** Begins every reference to a secret. Nothing in it means anything to JSON, HTML, addresses or regular expressions. */
const START = '~fabula-secret~';
/** The digit says how many times the secret is escaped as JSON; then the signed content in base64url. */
const REFERENCE = /~fabula-secret~([0-9])([A-Za-z0-9_-]+)~/g;
const MAX_ESCAPES = 9;
/** Bytes of the signature that stand before the content. */
export const SIGNATURE_BYTES = 16;

/** Stands in text for a secret that is not known there (decision 0026). */
export interface Reference {
  text: string;
  /** How many times the secret is to be escaped as JSON. */
  escapes: number;
  /** Signature and content, in base64url. */
  body: string;
}

/** What a reference says: a credential of a team, or what a function gives of texts that have references in them. */
export interface ReferenceContent {
  team: number;
  /** The credential; of a function: the first one in its values. */
  credential: string;
  call?: { name: string; values: JsonValue[] };
}

/** Whether something like a reference stands in the text: one look for its beginning. */
export function holdsReference(text: string): boolean {
  return text.includes(START);
}

/** Whether something like a reference stands in the text more than `most` times. */
export function holdsMoreReferences(text: string, most: number): boolean {
  let found = 0;
  for (let at = text.indexOf(START); at !== -1; at = text.indexOf(START, at + 1)) {
    found += 1;
    if (found > most) return true;
  }
  return false;
}

/** The text with `by` in the place of each reference; undefined leaves it as it is. */
export function replaceReferences(text: string, by: (found: Reference) => string | undefined): string {
  if (!holdsReference(text)) return text;
  return text.replace(
    REFERENCE,
    (found, escapes: string, body: string) => by({ text: found, escapes: Number(escapes), body }) ?? found,
  );
}

/** The text cut into references and what stands between them. */
export function splitAtReferences(text: string): (string | Reference)[] {
  const parts: (string | Reference)[] = [];
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

/** A reference made of its signed bytes. */
export function referenceText(signed: Buffer): string {
  return `${START}0${signed.toString('base64url')}~`;
}

/** The content as the signature covers it. */
export function writeContent({ team, credential, call }: ReferenceContent): Buffer {
  const content = call === undefined ? [team, credential] : [team, credential, call.name, call.values];
  return Buffer.from(JSON.stringify(content));
}

/** The content of a reference's body, whether it was signed or not; undefined for what is none. */
export function readContent(body: string): ReferenceContent | undefined {
  const bytes = Buffer.from(body, 'base64url').subarray(SIGNATURE_BYTES);
  // Much cheaper than an error for each text that only looks like a reference.
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
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // bytes that nobody signed
  }
}

/** What people see in the place of a secret. */
export function markerOf(credential: string): string {
  return `[credential ${credential}]`;
}

/** The text as it may be shown, answered or sent away: markers in the place of references (docs/security.md). */
export function withMarkers(text: string): string {
  return replaceReferences(text, ({ body }) => {
    const content = readContent(body);
    return content && markerOf(content.credential);
  });
}

/** The same for JSON text, where markers stand inside strings. */
export function jsonWithMarkers(json: string): string {
  return replaceReferences(json, ({ body }) => {
    const content = readContent(body);
    return content && JSON.stringify(markerOf(content.credential)).slice(1, -1);
  });
}

/** The same for a value: its texts and keys. What holds no reference is given back as it is. */
export function valueWithMarkers<Value extends JsonValue>(value: Value): Value {
  if (typeof value === 'string') return withMarkers(value) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const json = JSON.stringify(value);
  return holdsReference(json) ? (JSON.parse(jsonWithMarkers(json)) as Value) : value;
}

/** JSON text whose strings have become text: each secret in it has to be escaped once more. */
export function escapedOnceMore(json: string): string {
  return replaceReferences(json, ({ escapes, body }) =>
    escapes < MAX_ESCAPES ? `${START}${escapes + 1}${body}~` : withMarkers(`${START}0${body}~`),
  );
}

/** Text that is about to be read as JSON: what stands in its strings is escaped once less. */
export function escapedOnceLess(text: string): string {
  return replaceReferences(text, ({ escapes, body }) => `${START}${Math.max(escapes - 1, 0)}${body}~`);
}
