import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { isNumeric, stringifyJson } from '../../../platform/json/exact-number.js';
import { orderedObject } from '../../../platform/json/ordered-object.js';
import { parseJson } from '../../../platform/json/parse-json.js';
import { hideInText } from '../../../platform/secrets/hidden-secrets.js';
import { isOrdinaryText, isSecretNumber, secretKindOf } from '../../../platform/secrets/secret-names.js';
import { slugOf } from '../../../platform/text/slug.js';
import { createTextIndex } from '../../../platform/text/text-index.js';

/** Shorter secrets occur in too many texts by chance; they are hidden under their key alone. */
const MIN_SECRET = 8;
const MOST_NAME = 60;

/** Keys that are known by how they begin, and signed tokens (JWT). */
const KNOWN =
  /\b(?:gh[opsu]_\w{20,255}|github_pat_\w{20,255}|glpat-[\w-]{16,255}|xox[abeprs]-[\w-]{10,255}|sk-[\w-]{16,255}|sk_live_\w{10,255}|AIza[\w-]{30,255}|A(?:KIA|SIA)[A-Z\d]{16}\b|eyJ[\w-]{2,8000}\.eyJ[\w-]{2,8000}\.[\w-]{0,8000})/g;
/** Addresses that let whoever knows them write: the webhooks of Slack, Discord and Microsoft Teams. */
const CHAT_WEBHOOK =
  /(\bhooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/|\bdiscord(?:app)?\.com\/api\/(?:v\d{1,3}\/)?webhooks\/|\b(?:outlook|[\w-]{1,63}\.webhook)\.office(?:365)?\.com\/webhook(?:b2)?\/)[\w/@.-]{8,511}/gi;
const PRIVATE_KEY =
  /-----BEGIN ([A-Z ]{0,40})PRIVATE KEY-----[\s\S]{0,20000}?-----END [A-Z ]{0,40}PRIVATE KEY-----/g;
const SCHEME = /^(bearer|basic)( +)(?!<)[\w.~+/=-]{8,}$/gi;
/** Fields of addresses and forms: `access_token=…`. */
const FIELD = /(^|[?&;#\s])([\w.-]{1,100})=([^&#;\s"'<>]+)/g;
const USER = /(\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/@:<>"']{0,200}:)[^\s/@<>"']{1,200}@/gi;

/** Replaces secrets by placeholders such as `<hidden access_token>`. */
export interface SecretHider {
  text(text: string): string;
  value(value: JsonValue): JsonValue;
}

/** Returns what hides the secrets of these values, by their keys, and wherever else the same texts stand. */
export function createSecretHider(values: readonly JsonValue[]): SecretHider {
  const known = new Map<string, string>();
  const note = (secret: string, key: string) => {
    for (const form of [secret, encodeURIComponent(secret.replaceAll(/[\ud800-\udfff]/gu, ''))]) {
      if (form.length >= MIN_SECRET && !known.has(form)) known.set(form, placeholder(key));
    }
    return placeholder(key);
  };
  for (const value of values) replaced(value, note, (text) => text);
  const index = createTextIndex([...known.keys()], MIN_SECRET);
  const text = (given: string): string => {
    let shown = '';
    let from = 0;
    for (let found = index.find(given, from); found !== undefined; found = index.find(given, from)) {
      shown += given.slice(from, found.place) + (known.get(found.text) ?? placeholder(''));
      from = found.place + found.text.length;
    }
    return withoutKnownForms(shown + given.slice(from));
  };
  return { text, value: (given) => replaced(given, (_secret, key) => placeholder(key), text) };
}

function placeholder(key: string): string {
  return `<hidden ${slugOf(key).slice(0, MOST_NAME) || 'secret'}>`;
}

function withoutKnownForms(text: string): string {
  // Whole addresses first: parts of them look like secrets, too.
  return hideInText(text.replaceAll(CHAT_WEBHOOK, `$1${placeholder('webhook')}`))
    .replaceAll(PRIVATE_KEY, placeholder('private key'))
    .replaceAll(KNOWN, placeholder('token'))
    .replaceAll(SCHEME, `$1$2${placeholder('token')}`)
    .replaceAll(USER, `$1${placeholder('password')}@`)
    .replaceAll(FIELD, (whole, before: string, name: string, value: string) =>
      secretKindOf(name) === undefined || isOrdinaryText(name, value)
        ? whole
        : `${before}${name}=${placeholder(name)}`,
    );
}

type Replace = (secret: string, key: string) => string;

/** Returns the value with `secret` in place of texts under a key of secrets, and `other` of each other text, keys included. */
function replaced(value: JsonValue, secret: Replace, other: (text: string) => string): JsonValue {
  const inside = (item: JsonValue, parent: string): JsonValue => {
    if (typeof item === 'string') return inJson(item, (document) => inside(document, '')) ?? other(item);
    if (Array.isArray(item)) return item.map((each) => inside(each, parent));
    if (!isJsonObject(item)) return item;
    const named = nameIn(item);
    return orderedObject(
      Object.entries(item).map(([key, each]): [string, JsonValue] => [
        other(key),
        under(key === 'value' && named !== undefined ? named : key, each, parent),
      ]),
    );
  };
  const under = (key: string, item: JsonValue, parent: string): JsonValue => {
    // An id alone is none, but that of a session is.
    const full = parent === '' || secretKindOf(key) !== undefined ? key : `${parent}_${key}`;
    const kind = secretKindOf(full);
    const isPlain = !isJsonObject(item) && !(Array.isArray(item) && item.some(isJsonObject));
    return kind === 'whole' || (kind === 'plain' && isPlain) ? hidden(item, full) : inside(item, key);
  };
  const hidden = (item: JsonValue, key: string): JsonValue => {
    if (typeof item === 'string') {
      if (isOrdinaryText(key, item)) return other(item);
      return item === '' || isPlaceholder(item) ? item : secret(item, key);
    }
    if (isNumeric(item)) return isSecretNumber(key) ? secret(String(item), key) : item;
    if (Array.isArray(item)) return item.map((each) => hidden(each, key));
    if (!isJsonObject(item)) return item;
    return orderedObject(Object.entries(item).map(([name, each]) => [name, hidden(each, key)]));
  };
  return inside(value, '');
}

function isPlaceholder(text: string): boolean {
  return /^(?:\w+ )?(?:<(?:hidden|credential) [^<>]*>|\[(?:hidden|credential [^[\]]*)\])$/.test(text);
}

/** The name beside a value, as in a list of headers: `{ "name": "Authorization", "value": "…" }`. */
function nameIn({ name, key }: JsonObject): string | undefined {
  return [name, key].find((each) => typeof each === 'string');
}

/** Returns a JSON document in a text with its values changed; undefined if the text is none, or stays as it is. */
function inJson(text: string, change: (document: JsonValue) => JsonValue): string | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const document = parseJson(text);
    const [before, after] = [stringifyJson(document), stringifyJson(change(document))];
    return before === after ? undefined : after;
  } catch {
    return undefined; // not JSON
  }
}
