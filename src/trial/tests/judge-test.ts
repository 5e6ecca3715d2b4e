import type { JsonValue } from '../../platform/json.js';
import { exactly, TEST_KINDS, type TestExpectation, type TestKind } from '../../stories/face.js';
import { differenceText, type TestDifference } from './test-difference.js';
import { type Mismatch, mismatchesOf } from './match-value.js';
import type { Observed } from './observed.js';

/** Most differences that are told of one test. */
const MOST_DIFFERENCES = 100;

/** Returns the differences, at most 100, in the order of kinds and of the test. Failures that no test expects differ always. */
export function judgeTest(expect: TestExpectation, observed: Observed): TestDifference[] {
  return TEST_KINDS.flatMap((kind) => {
    const expected = expectedOf(kind, expect, observed);
    return [...expected].flatMap(([action, items]) =>
      listDifferences({ kind, action }, items, observed[kind].get(action) ?? []),
    );
  }).slice(0, MOST_DIFFERENCES);
}

/** Returns the expected lists of one kind, with the empty ones of actions that may do nothing. */
function expectedOf(kind: TestKind, expect: TestExpectation, observed: Observed): Map<string, JsonValue[]> {
  const given = expect[kind];
  const expected = new Map(Object.entries(given ?? {}));
  const isClosed = kind === 'errors' || (expect.nothing_else === true && given !== undefined);
  if (!isClosed) return expected;
  for (const action of observed[kind].keys()) if (!expected.has(action)) expected.set(action, []);
  return expected;
}

type Place = Pick<TestDifference, 'kind' | 'action'>;

function listDifferences(place: Place, expected: JsonValue[], found: JsonValue[]): TestDifference[] {
  const pairs = pairsOf(expected, found);
  const differences = pairs.flatMap(([index, wanted, item]) =>
    mismatchesOf(wanted, item).map((mismatch) => differenceAt(place, index, mismatch)),
  );
  if (expected.length === found.length) return differences;
  const paired = new Map(pairs.map(([index, wanted]) => [index, wanted]));
  const surplus = found.find((_item, index) => !paired.has(index));
  const counts = { ...place, index: null, path: '', expected: expected.length, found: found.length };
  const instead = found.map((item, index) => {
    const wanted = paired.get(index);
    return wanted === undefined ? exactly(item) : wanted;
  });
  return [{ ...counts, instead, text: differenceText(counts, surplus) }, ...differences];
}

/**
 * Returns the items to compare. Of lists that differ in length, the longer one's items that match nothing are left out, so
 * that one item too many is one difference.
 */
function pairsOf(expected: JsonValue[], found: JsonValue[]): [number, JsonValue, JsonValue][] {
  const skips = Math.abs(expected.length - found.length);
  const pairs: [number, JsonValue, JsonValue][] = [];
  let [wanted, item, skipped] = [0, 0, 0];
  while (wanted < expected.length && item < found.length) {
    const [left = null, right = null] = [expected[wanted], found[item]];
    if (skipped < skips && mismatchesOf(left, right).length > 0) {
      skipped += 1;
      if (expected.length > found.length) wanted += 1;
      else item += 1;
      continue;
    }
    pairs.push([item, left, right]);
    wanted += 1;
    item += 1;
  }
  return pairs;
}

function differenceAt(place: Place, index: number | null, mismatch: Mismatch): TestDifference {
  const difference = { ...place, index, ...mismatch };
  const { found } = mismatch;
  const instead = found === undefined ? { $absent: true } : exactly(found);
  return { ...difference, instead, text: differenceText(difference) };
}
