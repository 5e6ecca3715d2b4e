import type { HttpRequest } from '../../platform/outbound/http-exchange.js';
import type { JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';

/** Returns a request's body as readable value: parsed JSON, else text, else base64; undefined for an empty body. */
export function bodyValue({ body }: Pick<HttpRequest, 'body'>): JsonValue | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const text = textOf(body);
  if (text === undefined) return body.toString('base64');
  try {
    return parseJson(text);
  } catch {
    return text; // a form, XML, plain text
  }
}

function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}
