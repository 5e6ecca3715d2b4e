import type { JsonValue } from '../../platform/json.js';
import { exactly, TEST_KINDS, type TestExpectation, type TestKind } from '../../stories/face.js';
import { differenceText, type TestDifference } from './test-difference.js';
import type { LikelyCauses } from './likely-cause.js';
import { type Mismatch, mismatchesOf } from './match-value.js';
import type { Observed } from './observed.js';

/** Most differences that are told of one test. */
const MOST_DIFFERENCES = 100;

/** Failures lead to other differences. */
const ORDER = TEST_KINDS.toSorted((left, right) => Number(right === 'errors') - Number(left === 'errors'));

/**
 * Returns the differences, at most 100: failures first, the others in the order of kinds and of the test. Failures that no test
 * expects differ always. `causes` explains lists that are empty, or should be.
 */
export function judgeTest(
  expect: TestExpectation,
  observed: Observed,
  causes: LikelyCauses = NO_CAUSES,
): TestDifference[] {
  const differences = ORDER.flatMap((kind) => {
    const expected = expectedOf(kind, expect, observed);
    return [...expected].flatMap(([action, items]) =>
      listDifferences({ kind, action, causes }, items, observed[kind].get(action) ?? []),
    );
  });
  return [...calledDifferences(expect, observed, causes), ...differences].slice(0, MOST_DIFFERENCES);
}

/** A name that the story has too stands for its own action alone. What the test expects of that stays. */
function calledDifferences(
  { errors }: TestExpectation,
  { calledErrors }: Observed,
  causes: LikelyCauses,
): TestDifference[] {
  return [...calledErrors].flatMap(([action, found]) =>
    listDifferences({ kind: 'errors', action, causes }, [], found).map((difference) => ({
      ...asCalled(difference),
      instead: errors?.[action] ?? [],
    })),
  );
}

/** Returns a difference whose text tells that the action is of a called story. */
export function asCalled(difference: TestDifference): TestDifference {
  return { ...difference, text: `Called story, ${difference.text}` };
}

const NO_CAUSES: LikelyCauses = { ofNothing: () => undefined, ofSurplus: () => undefined };

/** Kinds in which actions that are not named do nothing, where nothing else may happen. Most runs have many events. */
const EFFECTS: ReadonlySet<TestKind> = new Set(['requests', 'mails', 'records']);

/** Returns the expected lists of one kind, with the empty ones of actions that may do nothing. */
function expectedOf(kind: TestKind, expect: TestExpectation, observed: Observed): Map<string, JsonValue[]> {
  const given = expect[kind];
  const expected = new Map(Object.entries(given ?? {}));
  const isElse = expect.nothing_else === true && (EFFECTS.has(kind) || given !== undefined);
  const isClosed = kind === 'errors' || isElse;
  if (!isClosed) return expected;
  for (const action of observed[kind].keys()) if (!expected.has(action)) expected.set(action, []);
  return expected;
}

type Place = Pick<TestDifference, 'kind' | 'action'>;

function listDifferences(
  { causes, ...place }: Place & { causes: LikelyCauses },
  expected: JsonValue[],
  found: JsonValue[],
): TestDifference[] {
  const pairs = pairsOf(expected, found);
  const differences = pairs.flatMap(([index, wanted, item]) =>
    mismatchesOf(wanted, item).map((mismatch) => differenceAt(place, index, mismatch)),
  );
  if (expected.length === found.length) return differences;
  const paired = new Map(pairs.map(([index, wanted]) => [index, wanted]));
  const surplus = found.length < expected.length ? [] : found.filter((_item, index) => !paired.has(index));
  const cause = causeOf(place, [expected.length, found.length], causes);
  const counts = { ...place, index: null, path: '', expected: expected.length, found: found.length, cause };
  const instead = found.map((item, index) => {
    const wanted = paired.get(index);
    return wanted === undefined ? exactly(item) : wanted;
  });
  return [{ ...counts, instead, text: differenceText(counts, surplus) }, ...differences];
}

function causeOf(
  { kind, action }: Place,
  [expected, found]: [number, number],
  causes: LikelyCauses,
): string | null {
  // A failure says itself what it is.
  if (kind === 'errors') return null;
  if (found === 0) return causes.ofNothing(action) ?? null;
  return expected === 0 ? (causes.ofSurplus(action) ?? null) : null;
}

/**
 * Returns the items to compare. Of lists that differ in length, items of the longer one are left out where a later one matches,
 * so that one item too many is one difference.
 */
function pairsOf(expected: JsonValue[], found: JsonValue[]): [number, JsonValue, JsonValue][] {
  const skips = Math.abs(expected.length - found.length);
  const pairs: [number, JsonValue, JsonValue][] = [];
  let [wanted, item, skipped] = [0, 0, 0];
  while (wanted < expected.length && item < found.length) {
    const [left = null, right = null] = [expected[wanted], found[item]];
    const ahead = aheadOf([expected, wanted, left], [found, item, right], skips - skipped);
    if (ahead > 0) {
      skipped += ahead;
      if (expected.length > found.length) wanted += ahead;
      else item += ahead;
      continue;
    }
    pairs.push([item, left, right]);
    wanted += 1;
    item += 1;
  }
  return pairs;
}

/** Returns after how many items of the longer list, at most `most`, the two match; 0: now, or never. */
function aheadOf(...[[expected, wanted, left], [found, item, right], most]: Ahead): number {
  for (let ahead = 0; ahead <= most; ahead += 1) {
    const isMatch =
      expected.length > found.length
        ? mismatchesOf(expected[wanted + ahead] ?? null, right).length === 0
        : mismatchesOf(left, found[item + ahead] ?? null).length === 0;
    if (isMatch) return ahead;
  }
  return 0;
}

type Side = [list: JsonValue[], at: number, value: JsonValue];
type Ahead = [expected: Side, found: Side, most: number];

function differenceAt(place: Place, index: number | null, mismatch: Mismatch): TestDifference {
  const difference = { ...place, index, ...mismatch, cause: null };
  const { found } = mismatch;
  const instead = found === undefined ? { $absent: true } : exactly(found);
  return { ...difference, instead, text: differenceText(difference) };
}
