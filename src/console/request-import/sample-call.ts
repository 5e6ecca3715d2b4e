import type { CallAddress } from './call-address.js';
import { callBody } from './call-body.js';
import type { CurlRequest } from './curl-request.js';
import { isKeyHeader } from './found-secrets.js';
import { isObject } from './literal-text.js';
import { fieldsOf, objectOf } from './query-fields.js';

/** A call of a webhook, and the event that it would be. */
export interface WebhookCall {
  kind: 'webhook';
  /** A name for the webhook action. */
  name: string;
  /** Lower case. */
  method: string;
  /** The address of the webhook as in its option `path`, if it is one of this server. */
  path: string | undefined;
  /** Names in lower case; without those by which a caller proves who it is. */
  headers: Record<string, string>;
  /** What the body is as a value. */
  body: unknown;
  /** The event of a webhook with `include_headers`. */
  event: { headers: Record<string, string>; body: unknown };
  remarks: string[];
}

const ADDRESS = /^\/webhook\/([^/]+)\/[^/]+\/?$/;
/** Headers that do not become part of an event, or that only the command has. */
const LEFT_OUT =
  /^(?:authorization|proxy-.*|cookie|set-cookie|x-user-token|x-service-signature|host|content-length)$/;

/** Whether an address is that of a webhook of this server. */
export function isWebhookCall({ origin, path }: CallAddress, ownOrigins: readonly string[]): boolean {
  return ownOrigins.includes(origin) && ADDRESS.test(path);
}

/** Returns the event that a call would be. */
export function webhookCall(request: CurlRequest, { path, query }: CallAddress): WebhookCall {
  const given = request.headers.map(([name, value]): [string, string] => [name.toLowerCase(), value]);
  const contentType = given.findLast(([name]) => name === 'content-type')?.[1];
  const found = callBody(request, contentType);
  const kept = given.filter(([name, value]) => !LEFT_OUT.test(name) && !isKeyHeader(name, value));
  const headers = {
    ...Object.fromEntries(kept),
    ...(found !== undefined && { 'content-type': found.contentType }),
  };
  const fields = objectOf(fieldsOf([query, ...queryBody(request)].join('&')) ?? new Map(), (text) => text);
  const body = bodyOf(found?.payload, fields);
  const method = (request.method ?? (found === undefined ? 'get' : 'post')).toLowerCase();
  return {
    kind: 'webhook',
    name: 'Receive call',
    method,
    path: ADDRESS.exec(path)?.[1],
    headers,
    body,
    event: { headers, body },
    remarks: request.remarks,
  };
}

function queryBody({ isGet, body, query }: CurlRequest): string[] {
  return isGet && body !== undefined ? [...query, body] : query;
}

/** The query goes into a body that is an object, whose own keys count. */
function bodyOf(body: unknown, query: object): unknown {
  if (body === undefined) return query;
  return isObject(body) ? { ...query, ...body } : body;
}
