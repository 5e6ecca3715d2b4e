import { PayloadTooLarge } from '../platform/errors.js';
import { type JsonObject, JsonText } from '../platform/json.js';
import { parseBody } from './body-parser.js';
import { buildEvent, type ReceivedEvent, receiveRequest } from './webhook-event.js';

/** Characters of an event's JSON: 10 MiB of quotes have 21 million, as base64 14 million; as control characters they have 63. */
const MAX_EVENT_CHARACTERS = 24 * 1024 * 1024;

/** A request that was let in, with its body as it came. */
export interface RequestBytes {
  bytes: Uint8Array;
  contentType: string | undefined;
  /** As events hold them. */
  headers: JsonObject;
  query: JsonObject;
  includeHeaders: boolean;
}

/** A `ReceivedEvent` on its way out of a thread. */
export interface ReceivedText {
  text: string;
  bodyIsEvent: boolean;
}

/** All the way from the bytes of a request to its event. @throws as `parseBody`. */
export async function receiveBytes(request: RequestBytes): Promise<ReceivedEvent<JsonObject>> {
  const { buffer, byteOffset, byteLength } = request.bytes;
  const body = await parseBody(Buffer.from(buffer, byteOffset, byteLength), request.contentType);
  return buildEvent(receiveRequest(request.headers, body, request.query), request.includeHeaders);
}

/** The same for a thread, and on to the event's text. */
export async function receiveText(request: RequestBytes): Promise<ReceivedText> {
  const { event, bodyIsEvent } = await receiveBytes(request);
  const text = JSON.stringify(event);
  if (text.length > MAX_EVENT_CHARACTERS) {
    throw new PayloadTooLarge(`The event is too large to store: as JSON it has ${text.length} characters`);
  }
  return { text, bodyIsEvent };
}

/** What came out of the thread. */
export function receivedFrom({ headers }: RequestBytes, { text, bodyIsEvent }: ReceivedText): ReceivedEvent {
  return { headers, event: new JsonText(text), bodyIsEvent };
}
