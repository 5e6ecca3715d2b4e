import { PatternError } from '../pattern-error.js';
import type { PatternNode, RepeatMode } from './pattern-node.js';
import type { PatternScanner } from './pattern-scanner.js';

const MAX_COUNT = 100_000;
/** Quantifiers of one atom: each is a level of the tree. */
const MAX_QUANTIFIERS = 10;

/**
 * Returns the atom with the quantifiers that follow it; each applies to what is before it: `x{2}*`.
 * @param skipIgnored skips comments and white space without meaning between quantifiers.
 * @throws PatternError for counts that are too large or the wrong way round.
 */
export function readQuantifiers(
  scanner: PatternScanner,
  atom: PatternNode,
  skipIgnored: () => void,
): PatternNode {
  let node = atom;
  for (let count = 0; ; count += 1) {
    skipIgnored();
    const repeat = readRepeat(scanner);
    if (repeat === undefined) return node;
    if (count >= MAX_QUANTIFIERS) throw new PatternError('too many quantifiers');
    node = { type: 'repeat', body: node, ...repeat };
  }
}

interface Repeat {
  min: number;
  max: number;
  mode: RepeatMode;
}

function readRepeat(scanner: PatternScanner): Repeat | undefined {
  const [mark] = scanner.takes(/[*+?]/y) ?? [];
  if (mark !== undefined) {
    const mode = scanner.skips('?') ? 'lazy' : scanner.skips('+') ? 'possessive' : 'greedy';
    return { min: mark === '+' ? 1 : 0, max: mark === '?' ? 1 : Number.POSITIVE_INFINITY, mode };
  }
  const counts = scanner.takes(/\{(?:(\d+)(,)?(\d+)?|,(\d+))\}/y);
  if (counts === undefined) return undefined;
  const [, low, comma, high, upTo] = counts;
  const min = Number(low ?? 0);
  const max =
    upTo === undefined
      ? comma === undefined
        ? min
        : Number(high ?? Number.POSITIVE_INFINITY)
      : Number(upTo);
  if (min > MAX_COUNT || (max > MAX_COUNT && Number.isFinite(max))) {
    throw new PatternError('too big number for repeat range');
  }
  if (max < min) throw new PatternError('upper is smaller than lower in repeat range');
  // `{2}?` means optional in Ruby, and `{2,3}+` a repetition of the repetition: both are read as next quantifiers.
  const isLazy = (comma !== undefined || upTo !== undefined) && scanner.skips('?');
  return { min, max, mode: isLazy ? 'lazy' : 'greedy' };
}
