import { isJsonObject, type JsonObject, type JsonText, type JsonValue } from '../platform/json.js';
import type { ParsedBody } from './body-parser.js';

/** A request that was let in, in the parts that events and response templates are made of. */
export interface ReceivedRequest {
  /** Names in lower case; without what must not be stored. */
  headers: JsonObject;
  /** The body with the query merged in where that applies; `{}` when there was neither. */
  body: JsonValue;
  /** What stands beside `body`: `query`, `encoding`. */
  extra: JsonObject;
}

/** Puts a request together; the query goes under an object's keys, else beside it (spec §4.3). */
export function receiveRequest(
  headers: JsonObject,
  body: ParsedBody | undefined,
  query: JsonObject,
): ReceivedRequest {
  if (body === undefined) return { headers, body: query, extra: {} };
  const hasQuery = Object.keys(query).length > 0;
  if (isJsonObject(body.value)) {
    return { headers, body: hasQuery ? { ...query, ...body.value } : body.value, extra: {} };
  }
  const extra: JsonObject = {};
  if (hasQuery) extra['query'] = query;
  if (body.encoding !== undefined) extra['encoding'] = body.encoding;
  return { headers, body: body.value, extra };
}

/** The event that a webhook emits (spec §4.4), with what is needed to tell its parts. */
export interface ReceivedEvent<Event extends JsonObject | JsonText = JsonObject | JsonText> {
  /** Names in lower case; also where the event does not hold them. */
  headers: JsonObject;
  event: Event;
  /** The event is the body itself; else it is the event's `body`. */
  bodyIsEvent: boolean;
}

/** Puts the event together. */
export function buildEvent(request: ReceivedRequest, includeHeaders: boolean): ReceivedEvent<JsonObject> {
  const { headers, body, extra } = request;
  if (includeHeaders) return { headers, event: { headers, body, ...extra }, bodyIsEvent: false };
  const bodyIsEvent = isJsonObject(body);
  return { headers, event: bodyIsEvent ? body : { body, ...extra }, bodyIsEvent };
}

/** What templates of a response see of a request: the body's keys, what stands beside the body, `body` and `headers` (spec §4.5). */
export function responseKeys({ headers, event, bodyIsEvent }: ReceivedEvent<JsonObject>): JsonObject {
  if (bodyIsEvent) return { ...event, body: event, headers };
  const { body = null, ...beside } = event;
  return { ...(isJsonObject(body) ? body : {}), ...beside, body, headers };
}
