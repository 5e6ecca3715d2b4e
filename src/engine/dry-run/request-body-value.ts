import type { HttpRequest } from '../../platform/outbound/http-exchange.js';
import type { JsonValue } from '../../platform/json.js';

/** A request's body as people write it down: the value of JSON, else text, else base64; undefined for none. */
export function bodyValue({ body }: Pick<HttpRequest, 'body'>): JsonValue | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const text = textOf(body);
  if (text === undefined) return body.toString('base64');
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return text; // a form, XML, plain text
  }
}

function textOf(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}
