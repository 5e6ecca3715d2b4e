import { CREDENTIAL_HEADERS } from '../../platform/headers/credential-headers.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { isNumeric } from '../../platform/json/exact-number.js';
import { characterCount, sliceCharacters } from '../../platform/text/code-points.js';
import { oneLine } from '../../platform/text/whole-text.js';

/** Names of fields that say what a payload is about, the most telling first. */
const TITLES = [
  'subject',
  'title',
  'summary',
  'headline',
  'name',
  'message',
  'description',
  'reason',
  'event',
  'action',
];
/** Names of fields that say which one it is, the most telling first. */
const MARKS = [
  'host',
  'hostname',
  'device',
  'server',
  'service',
  'user',
  'username',
  'email',
  'sender',
  'domain',
  'url',
  'ip',
  'id',
  'key',
  'number',
];
/** A name may have other words before one of these: `alert_title`, `issueKey`. */
const ENDINGS: ReadonlySet<string> = new Set([
  'subject',
  'title',
  'summary',
  'name',
  'message',
  'host',
  'email',
  'id',
  'key',
  'number',
]);
/** A name of several words is less telling than all that are one of the words. */
const LESS = 100;
const SECRET =
  /password|passwd|passphrase|secret|token|signature|authorization|cookie|credential|sessionid|bearer/;
const SECRET_KEY =
  /(?:api|private|access|signing|encryption|decryption|master|ssh|shared|storage|license|hmac|session)key/;
/** Words that say as much where they stand alone: an `author` is none. */
const SECRET_WORDS: ReadonlySet<string> = new Set([
  'auth',
  'oauth',
  'session',
  'sid',
  'jwt',
  'otp',
  'pin',
  'pwd',
]);

const MOST_DEPTH = 3;
const MOST_OBJECTS = 60;
const MOST_KEYS = 100;
const MOST_MARKS = 2;
/** Fields that stand for a payload in which no name is telling. */
const MOST_PLAIN = 3;
const MOST_CHARACTERS = 80;

interface Field {
  key: string;
  text: string;
  depth: number;
  /** The places of its name in the lists above; undefined: it is in neither. */
  title: number | undefined;
  mark: number | undefined;
}

/**
 * Returns what a payload is about (docs/use/console/on-call.md, What a run is about): a title and up to two marks, those
 * nearest the top first; without either the first plain fields. Null: it has no plain values.
 */
export function tellingText(payload: JsonValue): string | null {
  const about = aboutIn(payload);
  const whole = plainText(about);
  if (whole !== undefined) return whole;
  const fields = isJsonObject(about) ? [...fieldsOf(about)] : [];
  const [title] = nearest(fields, 'title');
  const marks = nearest(fields, 'mark').filter((mark) => mark !== title);
  const parts = [...(title === undefined ? [] : [title]), ...marks].map(({ text }) => text);
  const told = [...new Set(parts)].filter((text, index) => index === 0 || !parts[0]?.includes(text));
  if (told.length > 0) return told.slice(0, (title === undefined ? 0 : 1) + MOST_MARKS).join(' · ');
  const plain = fields.slice(0, MOST_PLAIN).map(({ key, text }) => `${key}: ${text}`);
  return plain.length === 0 ? null : plain.join(' · ');
}

/** Headers and status of a request are alike from run to run: its body tells what it is about. */
function aboutIn(payload: JsonValue): JsonValue {
  const body = isJsonObject(payload) ? payload['body'] : undefined;
  const isEmpty = body === undefined || body === null || body === '';
  const about = isEmpty ? payload : body;
  return Array.isArray(about) ? (about[0] ?? null) : about;
}

interface Place {
  object: JsonObject;
  depth: number;
  /** What the name of the object says of the names in it: the name of a host is a mark, not a title. */
  mark: number | undefined;
}

/** Returns the plain fields, those near the top first; of a list those of its first item. */
function* fieldsOf(top: JsonObject): Generator<Field> {
  const places: Place[] = [{ object: top, depth: 0, mark: undefined }];
  for (let at = 0; at < places.length && at < MOST_OBJECTS; at += 1) {
    const place = places[at];
    if (place === undefined) return;
    for (const key of Object.keys(place.object).slice(0, MOST_KEYS)) {
      const words = wordsOf(key);
      if (key === 'headers' || isSecret(key, words)) continue;
      const value = place.object[key] ?? null;
      const inner = Array.isArray(value) ? (value[0] ?? null) : value;
      const text = plainText(inner);
      if (text !== undefined) yield fieldAt(place, { key, words, text });
      else if (isJsonObject(inner) && place.depth < MOST_DEPTH) {
        places.push({ object: inner, depth: place.depth + 1, mark: placeIn(MARKS, words) });
      }
    }
  }
}

function fieldAt(
  { depth, mark: outer }: Place,
  field: { key: string; words: string[]; text: string },
): Field {
  const { key, words, text } = field;
  const title = placeIn(TITLES, words);
  const mark = placeIn(MARKS, words);
  if (outer === undefined) return { key, text, depth, title, mark };
  return { key, text, depth, title: undefined, mark: title === undefined ? mark : outer };
}

/** Returns the fields of a kind, the most telling of those nearest the top first. */
function nearest(fields: readonly Field[], kind: 'title' | 'mark'): Field[] {
  const order = (field: Field) => field[kind] ?? Number.POSITIVE_INFINITY;
  return fields
    .filter((field) => field[kind] !== undefined)
    .toSorted((a, b) => a.depth - b.depth || order(a) - order(b));
}

function wordsOf(key: string): string[] {
  const words = key.slice(0, MOST_CHARACTERS).replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

function placeIn(names: readonly string[], words: readonly string[]): number | undefined {
  const whole = names.indexOf(words.join(''));
  if (whole !== -1) return whole;
  const last = words.at(-1) ?? '';
  const at = ENDINGS.has(last) ? names.indexOf(last) : -1;
  return at === -1 ? undefined : at + LESS;
}

function isSecret(key: string, words: readonly string[]): boolean {
  const name = words.join('');
  if (CREDENTIAL_HEADERS.has(key.toLowerCase()) || SECRET.test(name) || SECRET_KEY.test(name)) return true;
  return words.some((word) => SECRET_WORDS.has(word));
}

/** Returns a plain value as one short line; undefined for others, and for an empty one. */
function plainText(value: JsonValue): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'boolean' && !isNumeric(value)) return undefined;
  const text = shortLine(String(value), MOST_CHARACTERS);
  return text === '' ? undefined : text;
}

/** Returns the beginning of a text as one line of at most so many characters. */
export function shortLine(text: string, most: number): string {
  // Most of a long text is never looked at.
  const line = oneLine(text.slice(0, 8 * most));
  return characterCount(line) > most ? `${sliceCharacters(line, 0, most - 1)}…` : line;
}
