import { Libmime } from 'libmime';
import { decode as decodeBase64 } from 'libbase64';
import { decode as decodeQuotedPrintable } from 'libqp';
import { bytesOf } from '../../platform/text/byte-text.js';
import { decodeLeniently } from '../../platform/text/charsets/decode-bytes.js';

/** An encoded word (RFC 2047 §2): character set, language, encoding, and text. Spaces in it are a common fault. */
const WORD = /=\?([^?*\s]{1,80})(?:\*[^?\s]{0,80})?\?([bq])\?([^?]*)\?=/gi;

export interface MimeHeader {
  name: string;
  /** The unfolded value; encoded words are not decoded yet. */
  raw: string;
}

const MAX_HEADERS = 1_000;
/** Most characters of one header, its continuation lines included; the rest is ignored. */
const MAX_HEADER_CHARACTERS = 100_000;

/** The library's grammar of header values, with the decoder of this server. */
class HeaderGrammar extends Libmime {
  override decodeWord(charset: string, _encoding: string, content: string): string {
    return decodeLeniently(decodeQ(content), charset);
  }

  override decodeWords(text: unknown): string {
    return decodeWords(String(text));
  }
}

const grammar = new HeaderGrammar();

/**
 * Returns the headers at the start of a part and the index of its body. A part whose first line is no header has none.
 * Expects bytes as latin-1 text.
 */
export function readHeaders(
  latin1: string,
  checkTime: () => void,
): { headers: MimeHeader[]; bodyStart: number } {
  const lines: string[] = [];
  let position = 0;
  while (position < latin1.length && lines.length < MAX_HEADERS) {
    checkTime();
    const lineEnd = endOfLine(latin1, position);
    const line = latin1.slice(position, lineEnd).replace(/[\r\n]+$/, '');
    if (line === '') return { headers: lines.flatMap(toHeader), bodyStart: lineEnd };
    if (lines.length === 0 && !HEADER.test(line)) return { headers: [], bodyStart: position };
    addLine(lines, line);
    position = lineEnd;
  }
  return { headers: lines.flatMap(toHeader), bodyStart: position };
}

/** A field name of RFC 5322 §2.2 and its colon; white space before the colon is obsolete syntax. */
const HEADER = /^[!-9;-~]+[ \t]*:/;

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

/** A line that starts with white space continues the previous header. */
function addLine(lines: string[], line: string): void {
  const isContinued = /^[ \t]/.test(line);
  if (!isContinued) {
    if (HEADER.test(line)) lines.push(line.slice(0, MAX_HEADER_CHARACTERS));
    return;
  }
  const last = lines.length - 1;
  const room = MAX_HEADER_CHARACTERS - (lines[last]?.length ?? 0);
  if (last >= 0 && room > 0) lines[last] += ` ${line.trim()}`.slice(0, room);
}

function toHeader(line: string): MimeHeader[] {
  const colon = line.indexOf(':');
  const raw = Buffer.from(line.slice(colon + 1).trim(), 'latin1');
  return [{ name: line.slice(0, colon).trim(), raw: decodeLeniently(raw) }];
}

/** Returns the values of every header of this name, encoded words not decoded. */
export function rawMimeValues(headers: readonly MimeHeader[], name: string): string[] {
  return headers.filter((header) => header.name.toLowerCase() === name).map(({ raw }) => raw);
}

/** Returns the text of the first header of this name. */
export function mimeHeaderText(headers: readonly MimeHeader[], name: string): string | undefined {
  const [raw] = rawMimeValues(headers, name);
  return raw === undefined ? undefined : decodeWords(raw);
}

export interface Parameterised {
  /** In lower case: `text/plain`. */
  value: string;
  /** By lower-case name, decoded. */
  parameters: ReadonlyMap<string, string>;
}

/** Returns the value of a header such as `text/plain; charset="utf-8"` and its parameters (RFC 2045, RFC 2231). */
export function parameterised(headers: readonly MimeHeader[], name: string): Parameterised {
  const [raw = ''] = rawMimeValues(headers, name);
  const { value, params, decodedParams } = grammar.parseHeaderValue(raw, { stripComments: true });
  const parameters = Object.entries(params).map(([key, text]): [string, string] => [
    key,
    decodedParams.includes(key) ? text : decodeWords(text),
  ]);
  return { value: value.trim().toLowerCase(), parameters: new Map(parameters) };
}

/** Returns the headers by name as written; a repeated one has the list of its values. */
export function headerObject(
  headers: readonly MimeHeader[],
  checkTime: () => void,
): Record<string, string | string[]> {
  const values = new Map<string, string[]>();
  for (const { name, raw } of headers) {
    checkTime();
    const list = values.get(name) ?? [];
    list.push(decodeWords(raw));
    values.set(name, list);
  }
  return Object.fromEntries(
    [...values].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]),
  );
}

/** Returns the bytes of a mail, one character each. */
export function latin1Of(text: string): string {
  return bytesOf(text).toString('latin1');
}

/** Returns a header's text with its encoded words decoded: `=?utf-8?Q?caf=C3=A9?=`. */
function decodeWords(text: string): string {
  const decoded: string[] = [];
  // Adjacent words of one character set are joined as bytes: many senders split a character over two words.
  let open: { charset: string; bytes: Buffer[] } | undefined;
  const close = () => {
    if (open !== undefined) decoded.push(decodeLeniently(Buffer.concat(open.bytes), open.charset));
    open = undefined;
  };
  let end = 0;
  for (const word of text.matchAll(WORD)) {
    const [whole, charset = '', encoding = '', content = ''] = word;
    const between = text.slice(end, word.index);
    // White space between two encoded words is not part of the text.
    const isAdjacent = open !== undefined && between.trim() === '';
    if (!isAdjacent || open?.charset !== charset.toLowerCase()) {
      close();
      if (!isAdjacent) decoded.push(between);
      open = { charset: charset.toLowerCase(), bytes: [] };
    }
    open.bytes.push(encoding.toLowerCase() === 'b' ? decodeBase64(content) : decodeQ(content));
    end = word.index + whole.length;
  }
  close();
  return decoded.join('') + text.slice(end);
}

/** Returns the bytes of a word in encoding `Q` (RFC 2047 §4.2). */
function decodeQ(content: string): Buffer {
  return decodeQuotedPrintable(
    Buffer.from(content.replaceAll('_', ' ').replace(/=\s{1,10}(?=[0-9a-f])/gi, '=')),
  );
}
