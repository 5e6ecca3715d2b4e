/** Returns the number of characters of a text: a surrogate pair is one. */
export function characterCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (!isPairAt(text, at)) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

/** Returns the characters from `from` up to `to`, counting a surrogate pair as one; without building lists. */
export function sliceCharacters(text: string, from: number, to = Number.POSITIVE_INFINITY): string {
  const start = placeAfter(text, 0, from);
  return text.slice(start, placeAfter(text, start, to - from));
}

/** Returns the characters in reverse order; surrogate pairs stay intact. */
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

/** Returns the index `count` characters after `place`, at most the text's end. */
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
