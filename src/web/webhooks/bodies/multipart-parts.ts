import { BadRequest, PayloadTooLarge } from '../../../platform/errors.js';
import { decodePiece } from '../../../platform/text/charsets/decode-bytes.js';
import { hexDigit } from '../../../platform/text/byte-text.js';
import { type HeaderParameters, headerParameters } from './header-parameters.js';

/** Most parts of a body, those of nested lists of files too. */
export const MAX_BODY_PARTS = 1000;
const MAX_HEADER_BYTES = 16 * 1024;
const MAX_FALSE_DELIMITERS = 100_000;
const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

/** A part of a multipart body: its headers, and its bytes after the transfer encoding. */
export interface Part {
  disposition: HeaderParameters;
  type: HeaderParameters;
  bytes: Buffer;
}

/**
 * Splits a multipart body (RFC 2046 §5.1.1). Lines may end with a bare LF, white space may follow a boundary, and the
 * last boundary may lack its `--`. Own code, because parsers for streams refuse these, and decode names and fields
 * before the charset is known.
 * @throws BadRequest if there is no boundary at the start or at the end; PayloadTooLarge for more than 1,000 parts, or
 * a header longer than 16 KiB.
 */
export function multipartParts(body: Buffer, boundary: string): Part[] {
  const delimiters = delimitersOf(body, boundary);
  const parts = delimiters.slice(0, -1).map(({ end }, index) => {
    const next = delimiters[index + 1]?.at ?? body.length;
    return partOf(body.subarray(end, contentEnd(body, end, next)));
  });
  const last = delimiters.at(-1);
  if (last?.isLast === true) return parts;
  const isEnded = last !== undefined && body.subarray(last.end).toString('latin1', 0, 4).trim() === '';
  if (!isEnded || parts.length === 0) throw malformed('it does not end with its boundary');
  return parts;
}

export function tooManyParts(): PayloadTooLarge {
  return new PayloadTooLarge(`More than ${MAX_BODY_PARTS} parts in the body`);
}

export function malformed(why: string): BadRequest {
  return new BadRequest(`The multipart body is malformed: ${why}`);
}

interface Delimiter {
  at: number;
  /** After its line. */
  end: number;
  isLast: boolean;
}

/** Returns the lines `--boundary`, up to the first `--boundary--`. @throws PayloadTooLarge for too many parts. */
function delimitersOf(body: Buffer, boundary: string): Delimiter[] {
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  const delimiters: Delimiter[] = [];
  let tries = 0;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    tries += 1;
    const found = at === 0 || body[at - 1] === LF ? delimiterAt(body, at, at + mark.length) : undefined;
    if (found !== undefined) delimiters.push(found);
    if (tries > MAX_FALSE_DELIMITERS || delimiters.length > MAX_BODY_PARTS + 1) throw tooManyParts();
    if (found?.isLast === true) break;
  }
  return delimiters;
}

function delimiterAt(body: Buffer, at: number, markEnd: number): Delimiter | undefined {
  const isLast = body[markEnd] === DASH && body[markEnd + 1] === DASH;
  let end = markEnd + (isLast ? 2 : 0);
  while (body[end] === 0x20 || body[end] === 0x09) end += 1;
  if (body[end] === CR) end += 1;
  // Text of the same line means a longer boundary; after the last one everything is ignored.
  if (end < body.length && body[end] !== LF && !isLast) return undefined;
  return { at, end: end + 1, isLast };
}

/** The line end before a boundary belongs to the boundary. */
function contentEnd(body: Buffer, start: number, at: number): number {
  const beforeLf = at > start && body[at - 1] === LF ? at - 1 : at;
  return beforeLf > start && body[beforeLf - 1] === CR ? beforeLf - 1 : beforeLf;
}

function partOf(part: Buffer): Part {
  const [headerEnd, bodyStart] = endOfHeader(part);
  if (headerEnd > MAX_HEADER_BYTES) {
    throw new PayloadTooLarge(`A part's header is longer than ${MAX_HEADER_BYTES} bytes`);
  }
  const headers = headersOf(part.toString('latin1', 0, headerEnd));
  return {
    disposition: headerParameters(headers.get('content-disposition') ?? ''),
    type: headerParameters(headers.get('content-type') ?? ''),
    bytes: transferred(part.subarray(bodyStart), headers.get('content-transfer-encoding')),
  };
}

/** Returns where the header ends and where the content starts. A part may start with the empty line. */
function endOfHeader(part: Buffer): [number, number] {
  if (part[0] === LF) return [0, 1];
  if (part[0] === CR && part[1] === LF) return [0, 2];
  for (let at = part.indexOf(LF); at !== -1; at = part.indexOf(LF, at + 1)) {
    if (part[at + 1] === LF) return [at, at + 2];
    if (part[at + 1] === CR && part[at + 2] === LF) return [at, at + 3];
  }
  throw malformed('a part has no empty line after its header');
}

function headersOf(text: string): Map<string, string> {
  const lines = text.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, Math.max(colon, 0)).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function transferred(bytes: Buffer, encoding = ''): Buffer {
  const name = encoding.trim().toLowerCase();
  if (name === 'base64') return Buffer.from(bytes.toString('latin1'), 'base64');
  return name === 'quoted-printable' ? unquoted(bytes) : bytes;
}

const EQUALS = 0x3d;

/** Decodes quoted-printable (RFC 2045 §6.7). */
function unquoted(bytes: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const [next, afterNext] = [bytes[at + 1], bytes[at + 2]];
    const code = byte === EQUALS ? hexDigit(next) * 16 + hexDigit(afterNext) : -1;
    if (byte !== EQUALS) plain[length++] = byte;
    else if (next === LF) at += 1;
    else if (next === CR && afterNext === LF) at += 2;
    else if (hexDigit(next) === -1 || hexDigit(afterNext) === -1) plain[length++] = byte;
    else {
      plain[length++] = code;
      at += 2;
    }
  }
  return plain.subarray(0, length);
}

const WORD = /^=\?([\w-]{1,40})\?([bq])\?([^?]*)\?=$/i;

/** Decodes a name or file name, which some senders write as an encoded word (RFC 2047). */
export function decodeName(latin1: string, charset: string | undefined): string {
  const [, label, encoding, content = ''] = WORD.exec(latin1) ?? [];
  if (encoding === undefined) return decodePiece(Buffer.from(latin1, 'latin1'), charset);
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(content, 'base64')
      : unquoted(Buffer.from(content.replaceAll('_', ' '), 'latin1'));
  return decodePiece(bytes, label);
}
