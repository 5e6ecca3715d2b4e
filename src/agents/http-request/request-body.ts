import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { PermanentJobError } from '../../platform/errors.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { charsetOf } from '../../platform/headers/content-type.js';
import type { RequestBody } from '../agent.js';
import { optionText } from '../options/options.js';
import { multipartBody } from './multipart.js';
import { type FormField, formFields, type ParamsEncoder, writtenFields } from './query.js';
import { bytesOf } from '../../platform/text/byte-text.js';
import { charsetNamed } from '../../platform/text/charsets/charset-named.js';
import { encodeText } from '../../platform/text/charsets/encode-text.js';
import { buildXml } from './xml-payload.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { wholeJson, wholeJsonText, wholeNote } from '../../platform/json/whole-json.js';

const CHARSET_PARAMETER = /;(\s*)charset\s*=\s*(?:"[^"]*"|'[^']*'|[^\s;]+)/i;

/** The encoding of a payload, and its `content-type` header. */
export interface ContentKind {
  kind: 'json' | 'form' | 'data' | 'xml' | 'text' | 'other';
  header: string;
}

const UTF8 = 'charset=utf-8';

/** Short names that stories use for media types, with their parameters. */
const SHORT_NAMES: Record<string, string> = {
  json: `application/json; ${UTF8}`,
  application_json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  data: 'multipart/form-data',
  multipart: 'multipart/form-data',
  xml: `text/xml; ${UTF8}`,
  text: 'text/plain',
};

/** Returns the content kind that an option or a header names; JSON by default, as in all exports. */
export function contentKindOf(contentType: string | undefined): ContentKind {
  const [name = '', ...own] = partsOf(contentType ?? 'application/json');
  const lower = name.toLowerCase();
  const meant = Object.hasOwn(SHORT_NAMES, lower) ? SHORT_NAMES[lower] : name;
  const [type = '', ...implied] = partsOf(meant ?? name);
  if (!/^[\w.+-]+\/[\w.+-]+$/.test(type)) {
    throw new PermanentJobError(
      'content_type: use json, form, data, xml, text or a media type such as text/csv',
    );
  }
  const parameters = own.length > 0 ? own : implied;
  return { kind: kindOf(type.toLowerCase()), header: [type, ...parameters].join('; ') };
}

function partsOf(contentType: string): string[] {
  return contentType.split(';').map((part) => part.trim());
}

function kindOf(type: string): ContentKind['kind'] {
  if (/\/json$|\+json$/.test(type)) return 'json';
  if (type === 'application/x-www-form-urlencoded') return 'form';
  if (type === 'multipart/form-data') return 'data';
  if (/\/xml$|\+xml$/.test(type)) return 'xml';
  return type.startsWith('text/') ? 'text' : 'other';
}

/**
 * Encodes a payload for the content type. A text is sent unchanged. `seed` keeps the multipart boundary equal for
 * every attempt.
 * @throws PermanentJobError for a list or text that this content type cannot encode.
 */
export function encodeBody(
  payload: JsonValue,
  { kind, header }: ContentKind,
  options: { encoder: ParamsEncoder; seed: string },
): RequestBody {
  if (kind === 'json') return encodeJson(payload, header);
  if (typeof payload === 'string') return bodyInCharset(payload, header);
  if (kind === 'data') return encodeMultipart(payload, options);
  if (kind === 'form') return formInCharset(formFields(objectOf(payload, kind), options.encoder), header);
  return bodyInCharset(kind === 'xml' ? xmlOf(objectOf(payload, kind), header) : optionText(payload), header);
}

/** JSON holds no bytes: a text of bytes becomes base64 (notes/formats.md, Charsets). A payload that is no JSON is sent unchanged. */
function encodeJson(payload: JsonValue, header: string): RequestBody {
  const isText = typeof payload === 'string';
  const { json, changes } = isText ? wholeJsonText(payload) : wholeJson(stringifyJson(payload));
  const encoded = isText ? bodyInCharset(json, header) : jsonInCharset(json, header);
  const note = wholeNote('payload', changes);
  return note === undefined ? encoded : { ...encoded, note };
}

/** The document says the same charset as its content type. */
function xmlOf(payload: JsonObject, header: string): string {
  const xml = buildXml(payload);
  const label = charsetOf(bodyInCharset(xml, header).contentType) ?? 'utf-8';
  return /^utf-?8$/i.test(label) ? xml : xml.replace('encoding="UTF-8"', `encoding="${label}"`);
}

function encodeMultipart(payload: JsonValue, options: { encoder: ParamsEncoder; seed: string }): RequestBody {
  const boundary = `fabula-${createHash('sha256').update(options.seed).digest('hex').slice(0, 40)}`;
  const body = multipartBody(objectOf(payload, 'data'), { boundary, encoder: options.encoder });
  return { body, contentType: `multipart/form-data; boundary=${boundary}` };
}

function objectOf(payload: JsonValue, kind: string) {
  if (isJsonObject(payload)) return payload;
  throw new PermanentJobError(`payload: content type ${kind} needs an object`);
}

/**
 * Encodes a text in the charset that the content type names, UTF-8 by default. A text with a character that this
 * charset lacks is sent as UTF-8, and labelled so. Decoded bytes are sent unchanged.
 */
function bodyInCharset(text: string, contentType: string): RequestBody {
  const charset = otherCharset(contentType);
  const bytes = bytesOf(text);
  if (charset === undefined || !isUtf8(bytes)) return { body: bytes, contentType };
  const encoded = encodeText(text, charset);
  return encoded === undefined
    ? { body: bytes, contentType: labelledUtf8(contentType) }
    : { body: encoded, contentType };
}

/** Encodes form fields; what `%` codes stand for is in the charset too. */
function formInCharset(fields: FormField[], contentType: string): RequestBody {
  const charset = otherCharset(contentType);
  const texts = fields.flat().filter((text) => text !== undefined);
  const fits = charset !== undefined && texts.every((text) => encodeText(text, charset) !== undefined);
  const encode = fits ? (text: string) => encodeText(text, charset) ?? Buffer.alloc(0) : bytesOf;
  return {
    body: Buffer.from(writtenFields(fields, encode)),
    contentType: charset === undefined || fits ? contentType : labelledUtf8(contentType),
  };
}

/** JSON is UTF-8 whatever its label says (RFC 8259 §8.1); with another label it is ASCII, which is both. */
function jsonInCharset(json: string, contentType: string): RequestBody {
  const isOther = otherCharset(contentType) !== undefined;
  const text = isOther ? json.replace(/[^\0-\x7f]/g, escaped) : json;
  return { body: Buffer.from(text), contentType };
}

function escaped(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Returns the label of a known charset other than UTF-8. */
function otherCharset(contentType: string): string | undefined {
  const label = charsetOf(contentType);
  const charset = label === undefined ? undefined : charsetNamed(label);
  return charset === undefined || charset.name === 'utf-8' ? undefined : label;
}

function labelledUtf8(contentType: string): string {
  return contentType.replace(CHARSET_PARAMETER, ';$1charset=utf-8');
}
