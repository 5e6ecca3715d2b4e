import type { ServerResponse } from 'node:http';
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { isJsonObject, type JsonValue } from '../json.js';

/** A finished answer to a webhook's caller. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  /** As text: sent together with the headers, as a buffer after them. */
  body: string;
}

/** The content types a story may choose (api-spec §6, rule 3): none that a browser would run as a page. */
const CONTENT_TYPES = new Set(['text/plain', 'text/xml', 'application/json']);

/** Headers that belong to the connection or to this server, not to a story. */
const RESERVED_HEADERS = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
  'x-request-id',
  'x-service-status',
  'x-service-story-run',
]);

/** Statuses that HTTP defines without a body. */
const EMPTY_STATUSES = new Set([204, 205, 304]);
/** Those of them that must not even say that its length is 0. */
const UNMEASURED_STATUSES = new Set([204, 304]);

/** Text as plain text, or as one of the allowed types; a value of another kind as JSON. */
export function makeAnswer(
  status: number,
  content: JsonValue,
  options: { contentType?: string | undefined; headers?: Record<string, string | string[]> } = {},
): Answer {
  const isText = typeof content !== 'object' || content === null;
  const fallback = isText ? 'text/plain' : 'application/json';
  const type = allowedType(options.contentType) ?? fallback;
  const text = isText ? textOf(content) : JSON.stringify(content);
  const body = EMPTY_STATUSES.has(status) ? '' : text;
  const headers: Record<string, string | string[]> = {
    ...options.headers,
    'X-Content-Type-Options': 'nosniff',
  };
  if (body.length > 0) headers['Content-Type'] = `${type}; charset=utf-8`;
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

/** A story's own headers: those that may be sent, and the content type it asks for. */
export function chosenHeaders(value: JsonValue | undefined): {
  headers: Record<string, string | string[]>;
  contentType: string | undefined;
} {
  const headers: Record<string, string | string[]> = {};
  let contentType: string | undefined;
  for (const [name, header] of Object.entries(isJsonObject(value) ? value : {})) {
    const text = headerText(header);
    if (text === undefined) continue;
    if (name.toLowerCase() === 'content-type') contentType = String(text);
    else if (isSendable(name, text)) headers[name] = text;
  }
  return { headers, contentType };
}

function headerText(value: JsonValue): string | string[] | undefined {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string');
  return value === null || typeof value === 'object' ? undefined : String(value);
}

/** A header that cannot be sent (a line break in its value) is left out rather than failing the call. */
function isSendable(name: string, value: string | string[]): boolean {
  if (RESERVED_HEADERS.has(name.toLowerCase())) return false;
  try {
    validateHeaderName(name);
    for (const text of [value].flat()) validateHeaderValue(name, text);
    return true;
  } catch {
    return false;
  }
}

/** Sends `answer` with `extra` headers. Does nothing when the caller has gone. */
export function sendAnswer(
  response: ServerResponse,
  answer: Answer,
  extra: Readonly<Record<string, string>> = {},
): void {
  if (response.destroyed || response.headersSent) return;
  for (const name in extra) response.setHeader(name, extra[name] ?? '');
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}
