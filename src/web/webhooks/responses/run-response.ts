import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { type WebhookResponse, makeResponse } from './response.js';
import { chosenHeaders } from '../chosen-headers.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** Response if a run reached no exit in time. The run itself continues. */
export const TIMED_OUT_RESPONSE = makeResponse(504, 'The story did not respond in time; its run continues');

const SHAPE_KEYS = new Set(['status', 'body', 'headers']);

/**
 * Builds the response from an exit's payload: `{status, body[, headers]}` is the whole response, any other payload is
 * the content of a 200 (spec §4.7). `asText`: the client accepts plain text, not JSON.
 */
export function responseFromPayload(payload: JsonValue, asText: boolean): WebhookResponse {
  const shaped = readShape(payload);
  if (shaped === undefined) return asText ? plain(payload) : json(payload);
  const { status, body } = shaped;
  const chosen = chosenHeaders(shaped.headers, status);
  if (typeof body === 'object' && body !== null && asText) {
    return makeResponse(status, stringifyJson(body), { ...chosen, contentType: 'text/plain' });
  }
  return makeResponse(status, body, chosen);
}

function plain(payload: JsonValue): WebhookResponse {
  return makeResponse(200, typeof payload === 'string' ? payload : stringifyJson(payload));
}

function json(payload: JsonValue): WebhookResponse {
  return makeResponse(200, stringifyJson(payload), { contentType: 'application/json' });
}

interface Shape {
  status: number;
  body: JsonValue;
  headers: JsonValue | undefined;
}

/** If the payload has any other key, it is data that happens to have a status. */
function readShape(payload: JsonValue): Shape | undefined {
  if (!isJsonObject(payload) || !Object.keys(payload).every((key) => SHAPE_KEYS.has(key))) return undefined;
  const { status, body, headers } = payload;
  const isCode = typeof status === 'number' || (typeof status === 'string' && /^\d{3}$/.test(status));
  const code = isCode ? Number(status) : 0;
  if (body === undefined || !Number.isInteger(code) || code < 200 || code > 599) return undefined;
  return { status: code, body, headers };
}
