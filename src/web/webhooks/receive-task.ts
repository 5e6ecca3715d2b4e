import { PayloadTooLarge } from '../../platform/errors.js';
import { type JsonObject, JsonText } from '../../platform/json.js';
import { parseBody } from './body-parser.js';
import { buildEvent, type ReceivedEvent, toReceivedEvent, withRawBody } from './webhook-event.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** Characters of an event's JSON. 10 MiB of quotes become 21 million, as base64 14 million, control characters 63 million. */
const MAX_EVENT_CHARACTERS = 24 * 1024 * 1024;

/** An admitted request with its raw body. */
export interface RequestBytes {
  bytes: Uint8Array;
  contentType: string | undefined;
  /** The headers that the event may store. */
  headers: JsonObject;
  query: JsonObject;
  includeHeaders: boolean;
  keepsRawBody: boolean;
}

/** A `ReceivedEvent` as a thread returns it. */
export interface ReceivedText {
  text: string;
  bodyIsEvent: boolean;
}

/** Parses a request's bytes into its event. @throws as `parseBody`. */
export async function receiveBytes(request: RequestBytes): Promise<ReceivedEvent<JsonObject>> {
  const { buffer, byteOffset, byteLength } = request.bytes;
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  const body = await parseBody(bytes, request.contentType);
  const received = buildEvent(toReceivedEvent(request.headers, body, request.query), request.includeHeaders);
  return request.keepsRawBody ? withRawBody(received, bytes) : received;
}

/** Does the same in a thread, and returns the event's JSON text. */
export async function receiveText(request: RequestBytes): Promise<ReceivedText> {
  const { event, bodyIsEvent } = await receiveBytes(request);
  const text = stringifyJson(event);
  if (text.length > MAX_EVENT_CHARACTERS) {
    throw new PayloadTooLarge(`The event is too large to store: it has ${text.length} characters as JSON`);
  }
  return { text, bodyIsEvent };
}

/** Converts the thread's result. */
export function receivedFrom({ headers }: RequestBytes, { text, bodyIsEvent }: ReceivedText): ReceivedEvent {
  return { headers, event: new JsonText(text), bodyIsEvent };
}
