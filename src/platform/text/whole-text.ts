import { bytesOf } from './byte-text.js';
import { decodePiece } from './charsets/decode-bytes.js';

/** Half of a surrogate pair that has no other half. */
const HALVES = /\p{Surrogate}/gu;
const BYTE = /^[\uDC80-\uDCFF]$/;

/** How a text without halves of surrogate pairs was made. */
export type Wholeness = 'base64' | 'escape';

/** Whether a text holds half of a surrogate pair, as bytes that are no text do (`textOfBytes`). */
export function holdsHalf(text: string): boolean {
  return text.search(HALVES) !== -1;
}

/**
 * Returns a text that every receiver can read (notes/formats.md, Charsets). A text with bytes that are no text becomes the base64 of
 * its bytes. Any other half of a pair becomes its escape: the six characters `\ud83d`.
 */
export function wholeText(text: string): { text: string; became: Wholeness | undefined } {
  let hasBytes = false;
  let hasHalves = false;
  const whole = text.replace(HALVES, (half) => {
    hasHalves = true;
    const isByte = BYTE.test(half);
    hasBytes ||= isByte;
    return isByte ? half : escapeOf(half);
  });
  if (hasBytes) return { text: bytesOf(whole).toString('base64'), became: 'base64' };
  return { text: whole, became: hasHalves ? 'escape' : undefined };
}

/** Returns a text for people to read, as in a mail: bytes that are no text are read as windows-1252. */
export function readableText(text: string): string {
  return text.replace(HALVES, (half) => (BYTE.test(half) ? decodePiece(bytesOf(half)) : escapeOf(half)));
}

/** Returns a text for a line of a header: white space and control characters are spaces, none at its ends. */
export function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

function escapeOf(half: string): string {
  return `\\u${half.charCodeAt(0).toString(16)}`;
}
