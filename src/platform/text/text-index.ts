/** A text that was found in another, and where. */
interface Found {
  text: string;
  place: number;
}

/** Finds many texts in one pass over another, however many there are. */
export interface TextIndex {
  /** Returns the first of the texts at this place or later, of several at one place the longest. */
  find(text: string, from: number): Found | undefined;
}

const HASHES = 0x10000;
/** Characters that a hash is of: each shifts it by four of its sixteen bits. */
const HASHED = 4;

/** Creates the index; `least`: the length of the shortest text, at least four. */
export function createTextIndex(texts: readonly string[], least: number): TextIndex {
  const byStart = new Map<string, string[]>();
  const begins = new Uint8Array(HASHES);
  for (const text of texts.toSorted((a, b) => b.length - a.length)) {
    const start = text.slice(0, least);
    byStart.set(start, [...(byStart.get(start) ?? []), text]);
    begins[hashOf(text)] = 1;
  }
  const longestAt = (text: string, place: number): string | undefined =>
    byStart.get(text.slice(place, place + least))?.find((each) => text.startsWith(each, place));

  return {
    find(text, from) {
      let hash = 0;
      for (let end = from; end < text.length; end += 1) {
        hash = nextHash(hash, text.charCodeAt(end));
        const place = end + 1 - HASHED;
        if (place < from || begins[hash] === 0) continue;
        const found = longestAt(text, place);
        if (found !== undefined) return { text: found, place };
      }
      return undefined;
    },
  };
}

function hashOf(text: string): number {
  return [...Array(HASHED).keys()].reduce((hash, place) => nextHash(hash, text.charCodeAt(place)), 0);
}

function nextHash(hash: number, code: number): number {
  return ((hash << 4) ^ code) & (HASHES - 1);
}
