import { isJsonObject, type JsonObject, type JsonValue } from '../json.js';
import { CREDENTIAL_HEADERS } from './credential-headers.js';

/** Stands where a secret is that the reader may not see. */
export const HIDDEN = '[hidden]';

/** A slash, or several, as addresses, JSON within JSON and HTML write it. */
const SLASH = String.raw`(?:\\{0,8}\/|%(?:25){0,3}2f|\\{1,8}u002f|&#x2f;|&#47;){1,4}`;
/** A part of an address, which may be a template. */
const PART = String.raw`(?:[\w.~%-]|\{\{[^{}]{0,200}\}\}|<<[^<>]{0,200}>>){1,255}?`;
/** Links of prompts, and addresses of webhooks with their secret, wherever they stand in a text. */
const PROMPT_LINK = new RegExp(String.raw`(prompts${SLASH})[0-9a-f]{32}`, 'gi');
const WEBHOOK_ADDRESS = new RegExp(
  String.raw`((?:w|%77)ebhook${SLASH}${PART}${SLASH})[^\s"'<>?#&\\/]+`,
  'gi',
);
/**
 * What every such link and address has in it, for patterns of JavaScript and of SQL: where it is missing nothing is hidden.
 * Letters of either case.
 */
export const LINK_PATTERN = String.raw`(prompts|ebhook)[\\/%&]`;
const LINK = new RegExp(LINK_PATTERN, 'i');
/** Shorter ones stand in too many texts by chance. */
const MIN_SECRET = 8;

/** What is hidden besides links and addresses. */
export interface Hiding {
  /** These texts, wherever they stand. */
  secrets?: readonly string[];
  /** The values of callers' credentials, under their names as headers. */
  headers?: boolean;
}

/** The text without links and secrets that let its reader do what its role does not allow. */
export function hideInText(text: string, secrets: readonly string[] = []): string {
  let shown = text;
  for (const secret of secrets) {
    if (secret.length >= MIN_SECRET) shown = shown.replaceAll(secret, HIDDEN);
  }
  if (!mayHoldLink(shown)) return shown;
  return shown.replace(PROMPT_LINK, `$1${HIDDEN}`).replace(WEBHOOK_ADDRESS, `$1${HIDDEN}`);
}

/** Whether the text may hold a link or an address that is hidden. */
export function mayHoldLink(text: string): boolean {
  return LINK.test(text);
}

/** The value without them, at any depth, keys included. */
export function hideSecrets(value: JsonValue, hiding: Hiding = {}): JsonValue {
  if (typeof value === 'string') return hideInText(value, hiding.secrets);
  if (Array.isArray(value)) return value.map((item) => hideSecrets(item, hiding));
  return isJsonObject(value) ? hideInObject(value, hiding) : value;
}

/** A thing of ours, with every text in it as `hideInText` gives it. Dates and the like stay as they are. */
export function hideInThing<Thing>(thing: Thing): Thing {
  return hiddenIn(thing) as Thing;
}

function hiddenIn(thing: unknown): unknown {
  if (typeof thing === 'string') return hideInText(thing);
  if (Array.isArray(thing)) return thing.map(hiddenIn);
  if (!isPlainObject(thing)) return thing;
  return Object.fromEntries(Object.entries(thing).map(([key, value]) => [hideInText(key), hiddenIn(value)]));
}

function isPlainObject(thing: unknown): thing is object {
  if (typeof thing !== 'object' || thing === null) return false;
  const prototype: unknown = Object.getPrototypeOf(thing);
  return prototype === Object.prototype || prototype === null;
}

/** As `hideSecrets`, for what is an object. */
export function hideInObject(object: JsonObject, hiding: Hiding = {}): JsonObject {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [
      hideInText(key, hiding.secrets),
      hiding.headers === true && isCredential(key, value) ? HIDDEN : hideSecrets(value, hiding),
    ]),
  );
}

function isCredential(key: string, value: JsonValue): boolean {
  const isText = typeof value === 'string' || Array.isArray(value);
  return isText && CREDENTIAL_HEADERS.has(key.toLowerCase());
}
