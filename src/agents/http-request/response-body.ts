import type { JsonObject, JsonValue } from '../../platform/json.js';
import type { HttpResponse } from '../../platform/outbound/http-exchange.js';
import { readSentJson } from '../json-text.js';
import { headerOf } from '../../platform/headers/header-of.js';
import { decodeDocument } from '../../platform/text/charsets/document-charset.js';
import { contentCodings } from '../../platform/headers/content-codings.js';
import { charsetOf, mediaTypeOf } from '../../platform/headers/content-type.js';
import { parseXml, XmlError } from '../../platform/text/xml/xml.js';

/** Deeper values stay text, so that later processing cannot overflow the stack. */
const MAX_DEPTH = 200;

/** Larger bodies are parsed in a thread if possible. Without a thread, JSON with more than `MOST_VALUES` values stays text. */
const LARGE_BYTES = 256 * 1024;
/** XML takes ten times as long as JSON. */
const LARGE_BYTES_OF_XML = 32 * 1024;
const MOST_VALUES = 200_000;

const JSON_TYPE = /^(application|text)\/(json|x-json)$|\+json$/;
const XML_TYPE = /^(application|text)\/xml$|^application\/.+\+xml$/;
/** Content types that some servers give to JSON. */
const LOOSE_TYPE = /^$|^text\/(plain|javascript)$|^application\/(octet-stream|javascript)$/;
const TEXT_TYPE = /^text\/|[/+](json|xml|javascript|yaml|x-www-form-urlencoded|graphql)$/;
const BINARY_TYPE = /^(image\/(?!svg)|audio\/|video\/|font\/|application\/(pdf|zip|gzip)$)/;

/** A response body as the event stores it; `encoding` marks a `body` that is the base64 of binary data. */
export interface ResponseBody {
  body: JsonValue;
  encoding?: 'base64';
}

type Answered = Pick<HttpResponse, 'status' | 'headers' | 'body' | 'read'>;

/** Whether parsing this response takes too long for the event loop. */
export function isLargeResponse(response: Answered): boolean {
  return response.body.length > (isXmlResponse(response) ? LARGE_BYTES_OF_XML : LARGE_BYTES);
}

export function isXmlResponse({ headers }: Answered): boolean {
  return XML_TYPE.test(mediaTypeOf(headerOf(headers, 'content-type')));
}

/** Builds the event of a response. */
export function responseEvent(
  { status, headers, body, read }: Answered,
  limits: { mostValues?: number } = {},
): JsonObject {
  if (read !== undefined) return { status, headers, ...read };
  // The client undoes the codings that it knows; a body in another one, such as zstd, is binary data.
  const isPlain = contentCodings(headerOf(headers, 'content-encoding')) !== undefined;
  const content = isPlain ? responseBody(body, headerOf(headers, 'content-type'), limits) : asBase64(body);
  return { status, headers, ...content };
}

function asBase64(bytes: Buffer): ResponseBody {
  return { body: bytes.toString('base64'), encoding: 'base64' };
}

/** Parses JSON and XML, decodes text by its charset, and encodes everything else as base64 (spec §5.3). */
export function responseBody(
  bytes: Buffer,
  contentType: string | undefined,
  { mostValues = MOST_VALUES } = {},
): ResponseBody {
  const mediaType = mediaTypeOf(contentType);
  const text = BINARY_TYPE.test(mediaType) ? undefined : decode(bytes, mediaType, charsetOf(contentType));
  if (text === undefined) return asBase64(bytes);
  const value = holdsAtMost(mostValues, bytes) ? valueOf(text, mediaType) : undefined;
  return { body: value === undefined ? text : value };
}

const COMMA = 0x2c;
const BRACKET = 0x5b;
const BRACE = 0x7b;

/** Whether the bytes, read as JSON, have at most this many values; parsing more takes long. */
function holdsAtMost(most: number, bytes: Buffer): boolean {
  if (bytes.length <= LARGE_BYTES) return true;
  let values = 0;
  // An iterator takes ten times as long.
  for (let at = 0; at < bytes.length && values <= most; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) values += 1;
  }
  return values <= most;
}

function valueOf(text: string, mediaType: string): JsonValue | undefined {
  if (XML_TYPE.test(mediaType)) return xmlOf(text);
  if (!JSON_TYPE.test(mediaType) && !(LOOSE_TYPE.test(mediaType) && /^\s*[[{]/.test(text))) return undefined;
  const value = readSentJson(text);
  return value === undefined || isDeep(value) ? undefined : value;
}

/** Invalid XML, and XML that the parser refuses, stays text. */
function xmlOf(text: string): JsonValue | undefined {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof XmlError) return undefined;
    throw error;
  }
}

/** Returns the text, or undefined if the bytes are not text. A NUL shows binary data, unless the type names text. */
function decode(bytes: Buffer, mediaType: string, charset: string | undefined): string | undefined {
  const text = decodeDocument(bytes, { mediaType, charset });
  const mayHoldNul = charset !== undefined || TEXT_TYPE.test(mediaType);
  return mayHoldNul || text?.includes('\0') !== true ? text : undefined;
}

/** Measures the depth level by level, without recursion. */
function isDeep(value: JsonValue): boolean {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return true;
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
  }
  return false;
}
