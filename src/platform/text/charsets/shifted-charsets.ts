import { TextDecoder } from '@exodus/bytes/encoding.js';

const SHIFT_OUT = 0x0e;
const SHIFT_IN = 0x0f;
const TILDE = 0x7e;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const HIGH_BIT = 0x80;
/** `ESC $ ) C` announces the Korean table at the start of a line (RFC 1557). */
const ANNOUNCEMENT = Buffer.from('\x1b$)C', 'latin1');

/**
 * Returns the text of bytes in ISO-2022-KR (RFC 1557) or HZ (RFC 1843): seven-bit forms of EUC-KR and of GB 2312, which
 * mark the double-byte stretches by codes. Invalid bytes become U+FFFD.
 */
export function decodeShifted(bytes: Buffer, name: string): string {
  return name === 'hz-gb-2312'
    ? new TextDecoder('gbk').decode(widenedHz(bytes))
    : new TextDecoder('euc-kr').decode(widenedKorean(bytes));
}

function widenedKorean(bytes: Buffer): Buffer {
  const wide = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let isShifted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === SHIFT_OUT || byte === SHIFT_IN) isShifted = byte === SHIFT_OUT;
    else if (bytes.subarray(at, at + ANNOUNCEMENT.length).equals(ANNOUNCEMENT)) at += ANNOUNCEMENT.length - 1;
    else wide[length++] = isShifted && byte > 0x20 ? byte | HIGH_BIT : byte;
  }
  return wide.subarray(0, length);
}

function widenedHz(bytes: Buffer): Buffer {
  const wide = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let isShifted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    const next = bytes[at + 1];
    if (byte !== TILDE) wide[length++] = isShifted && byte > 0x20 ? byte | HIGH_BIT : byte;
    else if (next === OPEN || next === CLOSE) {
      isShifted = next === OPEN;
      at += 1;
    } else if (next === TILDE) {
      wide[length++] = TILDE;
      at += 1;
    } else if (next === 0x0a) at += 1;
    else wide[length++] = byte;
  }
  return wide.subarray(0, length);
}
