import { headerText } from '../../headers/header-text.js';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ResponseHeaders } from '../../headers/header-of.js';

/** Headers of one response, in bytes. */
export const MAX_HEAD_BYTES = 64 * 1024;
/** An honest server sends its headers in few pieces. */
const MOST_PIECES = 32;

/** Exactly the grammar of RFC 9112 §4 and RFC 9112 §5, without folded lines; linear. */
const STRICT_HEAD =
  /^HTTP\/1\.1 [2-5]\d\d(?: [\t\x20-\x7e\x80-\xff]*)?\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t\x20-\x7e\x80-\xff]*\r\n)*\r\n/;
const LENGTH = /^content-length:[\t ]*(\d+)[\t ]*$/i;
const CHUNKED = /^transfer-encoding:[\t ]*chunked[\t ]*$/i;
const HEAD_END = /\n\r?\n/;
const FOLD = /\n[\t ]/;
const FRAMING = /^(?:content-length|transfer-encoding)\s*:/i;

/** The known parts of a response before Node has parsed it. */
export interface HeadWatch {
  hasBegun: boolean;
  /** A value goes on in the next line (obs-fold). */
  isFolded: boolean;
}

/**
 * Watches the first bytes that arrive on a connection, before its other listeners. `onHead` is called once, if a whole
 * head arrives: with true if it is strict HTTP/1.1 with at most one statement of its length.
 */
export function watchHead(socket: Socket, onHead: (isStrict: boolean) => void): HeadWatch {
  const watch = { hasBegun: false, isFolded: false };
  let text = '';
  let pieces = 0;
  const read = (piece: Buffer) => {
    watch.hasBegun = true;
    pieces += 1;
    text += piece.toString('latin1', 0, MAX_HEAD_BYTES);
    const index = text.search(HEAD_END);
    if (index === -1 && pieces < MOST_PIECES && text.length < MAX_HEAD_BYTES) return;
    socket.off('data', read);
    const head = index === -1 ? text : text.slice(0, text.indexOf('\n', index + 1) + 1);
    watch.isFolded = FOLD.test(head);
    onHead(isStrict(head));
    text = '';
  };
  socket.prependListener('data', read);
  return watch;
}

/** RFC 9112 §5.2: a folded line is one line, with spaces. Changes the list. */
export function unfold(rawHeaders: string[]): void {
  for (let at = 1; at < rawHeaders.length; at += 2)
    rawHeaders[at] = rawHeaders[at]?.replace(/[\t ]+/g, ' ') ?? '';
}

function isStrict(head: string): boolean {
  if (!STRICT_HEAD.test(head)) return false;
  const framing = head.split('\r\n').filter((line) => FRAMING.test(line));
  return (
    framing.length === 0 ||
    (framing.length === 1 && framing.every((line) => LENGTH.test(line) || CHUNKED.test(line)))
  );
}

/**
 * Returns the headers, names in lower case. The values of a repeated name are joined by `, `, except those of `set-cookie`:
 * more than one is a list, because a cookie contains commas (RFC 9110 §5.3).
 */
export function headersOf({ rawHeaders }: IncomingMessage): ResponseHeaders {
  const headers = new Map<string, string[]>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = headerText(rawHeaders[at + 1] ?? '');
    const before = headers.get(name);
    if (before === undefined) headers.set(name, [value]);
    else before.push(value);
  }
  return Object.fromEntries(
    [...headers].map(([name, values]) => [
      name,
      name === 'set-cookie' && values.length > 1 ? values : values.join(', '),
    ]),
  );
}

/** Returns the values of one header, one character for each byte. */
export function rawHeaderValues({ rawHeaders }: IncomingMessage, name: string): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}
