/** How many characters a text has: a pair of surrogates is one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (!isPairAt(text, at)) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

/** The characters from `from` up to `to`, pairs of surrogates counted as one; without lists of them. */
export function sliceCharacters(text: string, from: number, to = Number.POSITIVE_INFINITY): string {
  const start = placeAfter(text, 0, from);
  return text.slice(start, placeAfter(text, start, to - from));
}

/** The characters in the opposite order, pairs of surrogates kept as they are. */
export function reversedText(text: string): string {
  const units = Buffer.allocUnsafe(text.length * 2);
  let free = text.length;
  for (let at = 0; at < text.length; ) {
    const length = isPairAt(text, at) ? 2 : 1;
    free -= length;
    for (let index = 0; index < length; index += 1) {
      units.writeUInt16LE(text.charCodeAt(at + index), (free + index) * 2);
    }
    at += length;
  }
  return units.toString('utf16le');
}

/** The place `count` characters behind `place`, the text's end at most. */
function placeAfter(text: string, place: number, count: number): number {
  let at = place;
  for (let left = count; left >= 1 && at < text.length; left -= 1) at += isPairAt(text, at) ? 2 : 1;
  return at;
}

function isPairAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 0xd800 || code > 0xdbff) return false;
  const next = text.charCodeAt(at + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}
