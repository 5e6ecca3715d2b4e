import { isUtf8 } from 'node:buffer';

/*
 * Parts of requests and responses as they are kept, cut to a bounded size.
 */

/** Most characters of an address, of all headers together, and most bytes of a body. */
export const MOST = 8 * 1024;

export type Header = [name: string, value: string];

/** Returns the headers up to `MOST` characters; `isCut` if that is not all of them. */
export function headersWithin(headers: Header[]): { kept: Record<string, string>; isCut: boolean } {
  const kept: Header[] = [];
  let left = MOST;
  for (const [name, value] of headers) {
    left -= name.length;
    if (left < 0) break;
    kept.push([name, value.slice(0, left)]);
    left -= value.length;
    if (left < 0) break;
  }
  return { kept: Object.fromEntries(kept), isCut: left < 0 };
}

/** A body as it is kept. */
export interface WrittenBody {
  text: string | null;
  /** The size of the whole; null: it is not told. */
  bytes: number | null;
  leftOut: 'binary' | 'large' | null;
  isCut: boolean;
}

/** The body of a message without one. */
export const NO_BODY: WrittenBody = { text: null, bytes: 0, leftOut: null, isCut: false };

/** A body that was too large to be looked through for secrets: its size would tell the length of one. */
export const LEFT_OUT: WrittenBody = { text: null, bytes: null, leftOut: 'large', isCut: false };

/** Returns the beginning of a body of `bytes` bytes, cut between two characters. */
export function bodyWithin(body: Buffer, bytes: number): WrittenBody {
  const head = body.subarray(0, endOfWhole(body, MOST));
  if (!isText(head)) return { text: null, bytes, leftOut: 'binary', isCut: false };
  return { text: head.toString('utf8'), bytes, leftOut: null, isCut: head.length < body.length };
}

/** Returns true for UTF-8 without NUL. */
export const isText = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(0);

/** Returns where the last whole character within `most` bytes ends: a cut inside one would make the text none. */
export function endOfWhole(body: Buffer, most: number): number {
  if (body.length <= most) return body.length;
  let end = most;
  while (end > most - 4 && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}
