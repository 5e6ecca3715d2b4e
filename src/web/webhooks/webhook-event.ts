import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject, type JsonText, type JsonValue } from '../../platform/json.js';
import type { ParsedBody } from './body-parser.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';

/** An admitted request, in the parts that events and response templates use. */
export interface ReceivedRequest {
  /** Names in lower case; without the headers that must not be stored. */
  headers: JsonObject;
  /** The body, with the query merged in if it is an object; `{}` if there was neither. */
  body: JsonValue;
  /** The keys beside `body`: `query`, `encoding`. */
  extra: JsonObject;
}

/** Combines a request's parts. The query merges into an object body, whose keys win; else it stays beside the body (spec §4.3). */
export function toReceivedEvent(
  headers: JsonObject,
  body: ParsedBody | undefined,
  query: JsonObject,
): ReceivedRequest {
  if (body === undefined) return { headers, body: query, extra: {} };
  const hasQuery = Object.keys(query).length > 0;
  if (isJsonObject(body.value)) {
    return { headers, body: hasQuery ? mergedObjects(query, body.value) : body.value, extra: {} };
  }
  const extra: JsonObject = {};
  if (hasQuery) extra['query'] = query;
  if (body.encoding !== undefined) extra['encoding'] = body.encoding;
  return { headers, body: body.value, extra };
}

/** The event that a webhook emits (spec §4.4), and how to find its parts. */
export interface ReceivedEvent<Event extends JsonObject | JsonText = JsonObject | JsonText> {
  /** Names in lower case; set even if the event does not include them. */
  headers: JsonObject;
  event: Event;
  /** The event is the body itself; otherwise the body is the event's key `body`. */
  bodyIsEvent: boolean;
}

/** Builds the event. */
export function buildEvent(request: ReceivedRequest, includeHeaders: boolean): ReceivedEvent<JsonObject> {
  const { headers, body, extra } = request;
  if (includeHeaders) return { headers, event: { headers, body, ...extra }, bodyIsEvent: false };
  const bodyIsEvent = isJsonObject(body);
  return { headers, event: bodyIsEvent ? body : { body, ...extra }, bodyIsEvent };
}

/**
 * Adds the body as it came, for signatures over its bytes: `raw_body` is text if the bytes are UTF-8, so that they can be
 * had again, else base64, with `raw_body_encoding` (spec §4.4).
 */
export function withRawBody(
  received: ReceivedEvent<JsonObject>,
  bytes: Uint8Array,
): ReceivedEvent<JsonObject> {
  return { ...received, event: mergedObjects<JsonValue>(received.event, rawBodyOf(bytes)) };
}

function rawBodyOf(bytes: Uint8Array): JsonObject {
  const { buffer, byteOffset, byteLength } = bytes;
  const body = Buffer.from(buffer, byteOffset, byteLength);
  if (isUtf8(body)) return { raw_body: body.toString() };
  return { raw_body: body.toString('base64'), raw_body_encoding: 'base64' };
}

/** Returns the keys that response templates see: the body's keys, those beside the body, `body` and `headers` (spec §4.5). */
export function responseKeys({ headers, event, bodyIsEvent }: ReceivedEvent<JsonObject>): JsonObject {
  if (bodyIsEvent) return mergedObjects<JsonValue>(event, { body: event, headers });
  const { body = null, ...beside } = event;
  return mergedObjects<JsonValue>(isJsonObject(body) ? body : {}, { ...beside, body, headers });
}
