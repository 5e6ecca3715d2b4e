import type { SqlValue } from './sql.js';

/** From this length on, one pass over the bytes is faster than the driver's regular expression: twice as fast for JSON. */
export const LARGE_TEXT = 8 * 1024;
/** From this length on, even that pass takes long: 70 ms of the event loop for 10 MB. */
const TOO_LARGE_FOR_A_PASS = 1024 * 1024;

const NUL = '\0';
const BACKSLASH = 0x5c;
const QUOTE = 0x27;

/** Escapes a large text for a placeholder two to ten times as fast as the driver; returns other texts unchanged. */
export function largeText(text: string): string | { toSqlString(): string } {
  const isForDriver = text.length < LARGE_TEXT || (text.length <= TOO_LARGE_FOR_A_PASS && text.includes(NUL));
  return isForDriver ? text : { toSqlString: () => quoted(text) };
}

/** Returns the values, with large texts escaped that way. */
export function withLargeTexts(values: readonly SqlValue[]): SqlValue[] {
  return values.map((value) => (typeof value === 'string' ? largeText(value) : value));
}

/** Returns a literal; only these characters need an escape. */
function quoted(text: string): string {
  if (!["'", '\\', NUL].some((special) => text.includes(special))) return `'${text}'`;
  const bytes = Buffer.from(text);
  // Base64 is a third longer than the text; hexadecimal digits take twice its length, and twice the time.
  if (bytes.length > TOO_LARGE_FOR_A_PASS) {
    return `CONVERT(FROM_BASE64('${bytes.toString('base64')}') USING utf8mb4)`;
  }
  const literal = Buffer.allocUnsafe(bytes.length + countEscapes(bytes) + 2);
  literal[0] = QUOTE;
  let end = 1;
  // An iterator would take ten times as long.
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (byte === BACKSLASH || byte === QUOTE) literal[end++] = BACKSLASH;
    literal[end++] = byte;
  }
  literal[end++] = QUOTE;
  return literal.toString('utf8');
}

function countEscapes(bytes: Buffer): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH || byte === QUOTE) count += 1;
  }
  return count;
}
