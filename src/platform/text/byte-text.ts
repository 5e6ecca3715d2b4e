/**
 * Returns text that represents bytes without loss. UTF-8 becomes its text; each other byte becomes one of U+DC80 to
 * U+DCFF (half of a surrogate pair, which no valid text has alone). So the bytes of a decoded file pass through
 * the templates of an action unchanged, and `bytesOf` restores them; an event has their base64 (`wholeJson`). Python calls
 * it surrogateescape.
 */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return escapedText(bytes);
  }
}

const ESCAPED = 0xdc00;
const MAX_UTF8_BYTES = 3;
const REPLACEMENT = 0xfffd;

/** Returns the bytes that `textOfBytes` was given; ordinary text as UTF-8. */
export function bytesOf(text: string): Buffer {
  if (!/(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/.test(text)) return Buffer.from(text);
  // Writes into one buffer: a file may have millions of such bytes among the others.
  const bytes = Buffer.allocUnsafe(text.length * MAX_UTF8_BYTES);
  let length = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    at += code > 0xffff ? 2 : 1;
    if (code >= 0xdc80 && code < 0xdd00) bytes[length++] = code - ESCAPED;
    else length = writeUtf8(bytes, length, code >= 0xd800 && code < 0xe000 ? REPLACEMENT : code);
  }
  return bytes.subarray(0, length);
}

function writeUtf8(bytes: Buffer, start: number, code: number): number {
  let at = start;
  if (code < 0x80) {
    bytes[at++] = code;
    return at;
  }
  if (code < 0x800) bytes[at++] = 0xc0 | (code >> 6);
  else {
    if (code < 0x10000) bytes[at++] = 0xe0 | (code >> 12);
    else {
      bytes[at++] = 0xf0 | (code >> 18);
      bytes[at++] = 0x80 | ((code >> 12) & 0x3f);
    }
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f);
  }
  bytes[at++] = 0x80 | (code & 0x3f);
  return at;
}

function escapedText(bytes: Uint8Array): string {
  // Each byte becomes at most one UTF-16 code unit.
  const units = Buffer.allocUnsafe(bytes.length * 2);
  let length = 0;
  for (let at = 0; at < bytes.length; ) {
    const sequence = sequenceLength(bytes, at);
    const code = sequence === 0 ? ESCAPED + (bytes[at] ?? 0) : codePointAt(bytes, at, sequence);
    at += sequence || 1;
    if (code > 0xffff) {
      length = units.writeUInt16LE(0xd800 + ((code - 0x10000) >> 10), length);
      length = units.writeUInt16LE(0xdc00 + (code & 0x3ff), length);
    } else length = units.writeUInt16LE(code, length);
  }
  return units.toString('utf16le', 0, length);
}

function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  let code = length === 1 ? first : first & (0x7f >> length);
  for (let next = at + 1; next < at + length; next += 1) code = (code << 6) | ((bytes[next] ?? 0) & 0x3f);
  return code;
}

/** Returns the length in bytes of the UTF-8 character at `at`; 0 when there is none. */
function sequenceLength(buffer: Uint8Array, at: number): number {
  const first = buffer[at] ?? 0;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0
      ? 2
      : first >= 0xe0 && first < 0xf0
        ? 3
        : first >= 0xf0 && first < 0xf5
          ? 4
          : 0;
  if (length === 0 || at + length > buffer.length) return 0;
  const second = buffer[at + 1] ?? 0;
  // Overlong forms, surrogates and code points beyond Unicode are not valid UTF-8.
  const [low, high] = SECOND_BYTE[first] ?? [0x80, 0xbf];
  if (second < low || second > high) return 0;
  for (let next = at + 2; next < at + length; next += 1) {
    if (((buffer[next] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

const SECOND_BYTE: Record<number, [number, number]> = {
  0xe0: [0xa0, 0xbf],
  0xed: [0x80, 0x9f],
  0xf0: [0x90, 0xbf],
  0xf4: [0x80, 0x8f],
};

/** Returns the value of a hexadecimal digit, given its character code; -1 for any other character. */
export function hexDigit(code = 0): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
