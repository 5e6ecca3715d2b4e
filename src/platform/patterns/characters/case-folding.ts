import { CharSet } from './char-set.js';

/** Ranges of characters with two cases (Unicode 15); the others are the same in every case. */
const CASED_RANGES: [number, number][] = [
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xb5, 0x587],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13fd],
  [0x1c80, 0x1cbf],
  [0x1d79, 0x1d8e],
  [0x1e00, 0x1fff],
  [0x2126, 0x2188],
  [0x24b6, 0x24e9],
  [0x2c00, 0x2d2d],
  [0xa640, 0xa7f6],
  [0xab53, 0xabbf],
  [0xff21, 0xff5a],
  [0x10400, 0x105bc],
  [0x10c80, 0x10cf2],
  [0x118a0, 0x118df],
  [0x16e40, 0x16e7f],
  [0x1e900, 0x1e943],
];
const DOTLESS_I = 0x131;

let classes: Map<number, number[]> | undefined;

/** Returns the characters that are the same but for their case, the given one among them. */
export function caseVariants(code: number): readonly number[] {
  classes ??= foldingClasses();
  return classes.get(code) ?? [code];
}

/**
 * Returns the set of the characters that have a case variant in the given set. A variant beyond ASCII of an ASCII character
 * (`K` of Kelvin), and the other way round, counts if it is in `across`: `\w` is ASCII whatever the case.
 */
export function ignoringCase(set: CharSet, across = set): CharSet {
  return new CharSet(
    (code) =>
      set.has(code) ||
      caseVariants(code).some((variant) => (variant < 0x80 === code < 0x80 ? set : across).has(variant)),
  );
}

export function isSameIgnoringCase(one: number, other: number): boolean {
  return one === other || caseVariants(one).includes(other);
}

function foldingClasses(): Map<number, number[]> {
  const byFolded = new Map<number, number[]>();
  for (const [first, last] of CASED_RANGES) {
    for (let code = first; code <= last; code += 1) {
      const folded = simpleFolding(code);
      byFolded.set(folded, [...(byFolded.get(folded) ?? []), code]);
    }
  }
  const found = new Map<number, number[]>();
  for (const members of byFolded.values()) {
    if (members.length > 1) for (const member of members) found.set(member, members);
  }
  return found;
}

/** Folding of one character to one character, by way of its capital: so `ſ`, `S` and `s` become the same. */
function simpleFolding(code: number): number {
  if (code === DOTLESS_I) return code;
  return single(single(code, 'toUpperCase'), 'toLowerCase');
}

function single(code: number, change: 'toUpperCase' | 'toLowerCase'): number {
  const changed = String.fromCodePoint(code)[change]();
  const first = changed.codePointAt(0) ?? code;
  return changed.length === String.fromCodePoint(first).length ? first : code;
}
