import type { StoryTest, StoryTestDifference } from '../../../../../../clients/typescript/api.js';
import { type Path, withValueAt } from '../../../../story-model/value-in.js';

/** Returns the steps of a path as the server writes it: `body.items[0]["odd key"]`. */
export function stepsOf(path: string): Path {
  const steps = path.matchAll(/\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|([^.[\]]+)/g);
  return [...steps].map(([, place, quoted, key]) => {
    if (place !== undefined) return Number(place);
    return quoted === undefined ? (key ?? '') : (JSON.parse(quoted) as string);
  });
}

/** Whether the test can expect what was found: not a value of a list whose length differs, too, since its place is unsure. */
export function mayExpect(difference: StoryTestDifference, all: readonly StoryTestDifference[]): boolean {
  if (difference.instead === undefined) return false;
  return difference.index === null || !all.some((other) => isLengthOf(other, difference));
}

const isLengthOf = (one: StoryTestDifference, other: StoryTestDifference) =>
  one.index === null && one.kind === other.kind && one.action === other.action;

/** Returns the test that expects what was found at these differences. Lists get their length first. */
export function expectFound(test: StoryTest, differences: readonly StoryTestDifference[]): StoryTest {
  const inOrder = [
    ...differences.filter(({ index }) => index === null),
    ...differences.filter(({ index }) => index !== null),
  ];
  return inOrder.reduce(
    (changed, { kind, action, index, path, instead }) =>
      withValueAt(
        changed,
        ['expect', kind, action, ...(index === null ? [] : [index, ...stepsOf(path)])],
        instead,
      ) as StoryTest,
    test,
  );
}
