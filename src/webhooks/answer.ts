import type { ServerResponse } from 'node:http';
import { GUARD_HEADERS } from '../platform/http/answer-headers.js';
import type { JsonValue } from '../platform/json.js';

/** A finished answer to a webhook's caller. */
export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  /** As text: sent together with the headers, as a buffer after them. */
  body: string;
}

/** The content types a story may choose (spec §4.5): none that a browser would run as a page. */
const CONTENT_TYPES = new Set(['text/plain', 'text/xml', 'application/json']);

/** Shown by a browser it would be a page, with any text and links in it; programs pay no heed to where it is to be kept. */
const SHOWN_AS_PAGE = 'text/xml';

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
