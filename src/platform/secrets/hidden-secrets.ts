import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { mapSteps, type Steps } from '../steps.js';
import { CREDENTIAL_HEADERS } from '../headers/credential-headers.js';
import { createTextIndex, type TextIndex } from '../text/text-index.js';
import { orderedObject } from '../json/ordered-object.js';

/** Replaces a secret that the reader may not see. */
export const HIDDEN = '[hidden]';

/** One or more slashes, as written in URLs, nested JSON and HTML. */
const SLASH = String.raw`(?:\\{0,8}\/|%(?:25){0,3}2f|\\{1,8}u002f|&#x2f;|&#47;){1,4}`;
/** A path segment of a URL, which may contain a template. */
const PART = String.raw`(?:[\w.~%-]|\{\{[^{}]{0,200}\}\}|<<[^<>]{0,200}>>){1,255}?`;
/** Links of prompts, and URLs of webhooks with their secret, anywhere in a text. */
const PROMPT_LINK = new RegExp(String.raw`(prompts${SLASH})[0-9a-f]{32}`, 'gi');
const WEBHOOK_ADDRESS = new RegExp(
  String.raw`((?:w|%77)ebhook${SLASH}${PART}${SLASH})[^\s"'<>?#&\\/]+`,
  'gi',
);
/**
 * Part of every such link and URL, for patterns of JavaScript and of SQL: a text without it contains nothing to hide.
 * Matches letters of either case.
 */
export const LINK_PATTERN = String.raw`(prompts|ebhook)[\\/%&]`;
const LINK = new RegExp(LINK_PATTERN, 'i');
/** Shorter secrets occur in too many texts by chance. */
const MIN_SECRET = 8;
/** So many secrets are looked for one by one. */
const FEW = 8;

/** Texts to hide besides links and URLs. */
export interface Hiding {
  /** These texts, anywhere in a text. */
  secrets?: readonly string[];
  /** The values of header fields that contain credentials. */
  headers?: boolean;
}

/** Returns the text without links and secrets that would let its reader exceed its role. */
export function hideInText(text: string, secrets: readonly string[] = []): string {
  const shown = secrets.length > FEW ? withoutSecrets(text, indexOf(secrets)) : withoutFew(text, secrets);
  if (!mayHoldLink(shown)) return shown;
  return shown.replace(PROMPT_LINK, `$1${HIDDEN}`).replace(WEBHOOK_ADDRESS, `$1${HIDDEN}`);
}

function withoutFew(text: string, secrets: readonly string[]): string {
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET);
  return long.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text);
}

/** A story may have thousands of secrets. */
const indexes = new WeakMap<readonly string[], TextIndex>();

function indexOf(secrets: readonly string[]): TextIndex {
  const known = indexes.get(secrets);
  if (known !== undefined) return known;
  const long = secrets.filter((secret) => secret.length >= MIN_SECRET);
  const made = createTextIndex(long, MIN_SECRET);
  indexes.set(secrets, made);
  return made;
}

function withoutSecrets(text: string, index: TextIndex): string {
  let shown = '';
  let from = 0;
  for (let found = index.find(text, from); found !== undefined; found = index.find(text, from)) {
    shown += text.slice(from, found.place) + HIDDEN;
    from = found.place + found.text.length;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** Returns true if the text may contain a link or URL to hide. */
export function mayHoldLink(text: string): boolean {
  return LINK.test(text);
}

/** Hides links and secrets in a value at any depth, keys included. */
export function hideSecrets(value: JsonValue, hiding: Hiding = {}): JsonValue {
  if (typeof value === 'string') return hideInText(value, hiding.secrets);
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, hiding));
  return isJsonObject(value) ? hideInObject(value, hiding) : value;
}

/** The steps of `hideSecrets` for an object with long lists: one for each item of them. */
export function* hideSteps(object: JsonObject, hiding: Hiding = {}): Steps<JsonObject> {
  const entries: [string, JsonValue][] = [];
  for (const [key, value] of Object.entries(object)) {
    const isLong = Array.isArray(value) && !isHidden(key, value, hiding);
    entries.push([
      hideInText(key, hiding.secrets),
      isLong ? yield* mapSteps(value, (item) => hideSecrets(item, hiding)) : hiddenValue(key, value, hiding),
    ]);
  }
  return orderedObject(entries);
}

/** Applies `hideInText` to every text in a plain object or list. Dates and other objects stay unchanged. */
export function hideInThing<Thing>(thing: Thing): Thing {
  return hiddenIn(thing) as Thing;
}

function hiddenIn(thing: unknown): unknown {
  if (typeof thing === 'string') return hideInText(thing);
  if (Array.isArray(thing)) return thing.map(hiddenIn);
  if (!isPlainObject(thing)) return thing;
  return orderedObject(Object.entries(thing).map(([key, value]) => [hideInText(key), hiddenIn(value)]));
}

function isPlainObject(thing: unknown): thing is object {
  if (typeof thing !== 'object' || thing === null) return false;
  const prototype: unknown = Object.getPrototypeOf(thing);
  return prototype === Object.prototype || prototype === null;
}

/** Like `hideSecrets`, for an object. */
export function hideInObject(object: JsonObject, hiding: Hiding = {}): JsonObject {
  return orderedObject(
    Object.entries(object).map(([key, value]) => [
      hideInText(key, hiding.secrets),
      hiddenValue(key, value, hiding),
    ]),
  );
}

function hiddenValue(key: string, value: JsonValue, hiding: Hiding): JsonValue {
  return isHidden(key, value, hiding) ? HIDDEN : hideSecrets(value, hiding);
}

function isHidden(key: string, value: JsonValue, { headers }: Hiding): boolean {
  return headers === true && isCredential(key, value);
}

function isCredential(key: string, value: JsonValue): boolean {
  const isText = typeof value === 'string' || Array.isArray(value);
  return isText && CREDENTIAL_HEADERS.has(key.toLowerCase());
}
