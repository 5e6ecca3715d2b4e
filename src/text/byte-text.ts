/**
 * Text that stands for bytes. What is UTF-8 is that text; each byte that is not becomes one of U+DC80 to
 * U+DCFF (half of a surrogate pair, which no real text has alone), so that the bytes of a decoded file go
 * through templates and events unchanged and `bytesOf` gives them back. Python calls it surrogateescape.
 */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return escapedText(bytes);
  }
}

const ESCAPED = 0xdc00;

/** The bytes that `textOfBytes` was made of; ordinary text as UTF-8. */
export function bytesOf(text: string): Buffer {
  if (!/(?<![\uD800-\uDBFF])[\uDC80-\uDCFF]/.test(text)) return Buffer.from(text);
  const parts = text.split(/(?<![\uD800-\uDBFF])([\uDC80-\uDCFF]+)/);
  return Buffer.concat(
    parts.map((part, index) =>
      index % 2 === 0 ? Buffer.from(part) : Buffer.from(part, 'utf16le').filter((_, at) => at % 2 === 0),
    ),
  );
}

function escapedText(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  let validFrom = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    if (length > 0) {
      at += length;
      continue;
    }
    if (at > validFrom) parts.push(buffer.toString('utf8', validFrom, at));
    parts.push(String.fromCharCode(ESCAPED + (buffer[at] ?? 0)));
    at += 1;
    validFrom = at;
  }
  parts.push(buffer.toString('utf8', validFrom));
  return parts.join('');
}

/** How many bytes the UTF-8 character at `at` has; 0 when there is none. */
function sequenceLength(buffer: Buffer, at: number): number {
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
  // Overlong forms, surrogates and code points beyond Unicode are no UTF-8.
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
