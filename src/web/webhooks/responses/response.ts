import type { ServerResponse } from 'node:http';
import { GUARD_HEADERS } from '../../../platform/http/server/response-headers.js';
import type { JsonValue } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { wholeJson } from '../../../platform/json/whole-json.js';
import { wholeText } from '../../../platform/text/whole-text.js';

/** A finished response to a webhook request. */
export interface WebhookResponse {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  /** A string: Node sends it together with the headers, but a buffer after them. */
  body: string;
}

/** The content types a story may choose (spec §4.5): no type that a browser runs as a page. */
const CONTENT_TYPES = new Set(['text/plain', 'text/xml', 'application/json']);

/** Browsers would display it as a page with any text and links. As an attachment they do not; programs ignore that header. */
const SHOWN_AS_PAGE = 'text/xml';

/** Statuses that HTTP defines without a body. */
const EMPTY_STATUSES = new Set([204, 205, 304]);
/** Statuses that must not even have a `Content-Length` of 0. */
const UNMEASURED_STATUSES = new Set([204, 304]);

/** Builds a response: scalars as plain text or as the allowed `contentType`, objects and lists as JSON. */
export function makeResponse(
  status: number,
  content: JsonValue,
  options: { contentType?: string | undefined; headers?: Record<string, string | string[]> } = {},
): WebhookResponse {
  const isText = typeof content !== 'object' || content === null;
  const fallback = isText ? 'text/plain' : 'application/json';
  const type = allowedType(options.contentType) ?? fallback;
  const text = isText ? wholeText(textOf(content)).text : wholeJson(stringifyJson(content)).json;
  const body = EMPTY_STATUSES.has(status) ? '' : text;
  const headers: Record<string, string | string[]> = {
    ...options.headers,
    ...GUARD_HEADERS,
  };
  if (body.length > 0) headers['Content-Type'] = `${type}; charset=utf-8`;
  if (type === SHOWN_AS_PAGE) headers['Content-Disposition'] = 'attachment';
  if (!UNMEASURED_STATUSES.has(status)) headers['Content-Length'] = String(Buffer.byteLength(body));
  return { status, headers, body };
}

function textOf(content: string | number | boolean | null): string {
  return content === null ? '' : String(content);
}

function allowedType(contentType: string | undefined): string | undefined {
  const type = contentType?.split(';', 1)[0]?.trim().toLowerCase();
  return type !== undefined && CONTENT_TYPES.has(type) ? type : undefined;
}

/** Sends `content` with `extra` headers. Does nothing if the client has disconnected. */
export function sendResponse(
  response: ServerResponse,
  content: WebhookResponse,
  extra: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  for (const name in extra) response.setHeader(name, extra[name] ?? '');
  response.writeHead(content.status, content.headers);
  response.end(content.body);
}
