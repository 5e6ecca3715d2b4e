const LOW_CODES = 256;
const NO = 1;
const YES = 2;

/** A set of characters. The answers for the first 256 are kept, the others are asked for each time. */
export class CharSet {
  readonly #low = new Uint8Array(LOW_CODES);
  readonly #includes: (code: number) => boolean;

  /** @param includes returns true for the code points in the set; takes a constant time. */
  constructor(includes: (code: number) => boolean) {
    this.#includes = includes;
  }

  has(code: number): boolean {
    if (code >= LOW_CODES) return this.#includes(code);
    const known = this.#low[code];
    if (known !== 0) return known === YES;
    const includes = this.#includes(code);
    this.#low[code] = includes ? YES : NO;
    return includes;
  }
}

export function setOf(...codes: number[]): CharSet {
  return new CharSet((code) => codes.includes(code));
}

export function rangeOf(first: number, last: number): CharSet {
  return new CharSet((code) => code >= first && code <= last);
}

/** Returns the set of all characters in the ranges, each from its first to its last code point. */
export function rangesOf(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = ranges.toSorted(([one], [other]) => one - other);
  const merged: [number, number][] = [];
  for (const [first, last] of sorted) {
    const before = merged.at(-1);
    if (before === undefined || first > before[1] + 1) merged.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return new CharSet((code) => isInRanges(merged, code));
}

function isInRanges(ranges: readonly (readonly [number, number])[], code: number): boolean {
  let [low, high] = [0, ranges.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [first = 0, last = 0] = ranges[middle] ?? [];
    if (code < first) high = middle - 1;
    else if (code > last) low = middle + 1;
    else return true;
  }
  return false;
}

export function complementOf(set: CharSet): CharSet {
  return new CharSet((code) => !set.has(code));
}

export function unionOf(sets: readonly CharSet[]): CharSet {
  const [only] = sets;
  if (sets.length === 1 && only !== undefined) return only;
  return new CharSet((code) => sets.some((set) => set.has(code)));
}

export function intersectionOf(sets: readonly CharSet[]): CharSet {
  return new CharSet((code) => sets.every((set) => set.has(code)));
}
