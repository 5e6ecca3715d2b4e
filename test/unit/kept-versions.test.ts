import { KEPT, tooMany } from '../../src/stories/versions/keep-version.js';

const versions = (count: number, rest: { isNamed?: number; storedBytes?: number } = {}, from = 1) =>
  Array.from({ length: count }, (_, index) => ({ id: from + index, isNamed: 0, storedBytes: 10, ...rest }));

it('keeps the newest without a name, and those with one longer', () => {
  expect(tooMany(versions(KEPT.unnamed))).toEqual([]);
  expect(tooMany(versions(KEPT.unnamed + 2))).toEqual([KEPT.unnamed + 1, KEPT.unnamed + 2]);
  expect(tooMany(versions(KEPT.named, { isNamed: 1 }))).toEqual([]);
  const mixed = [...versions(KEPT.unnamed), ...versions(KEPT.named + 1, { isNamed: 1 }, 1_000)];
  expect(tooMany(mixed)).toEqual([1_000 + KEPT.named]);
});

it('keeps no more bytes than the limit, but always the newest', () => {
  const storedBytes = KEPT.bytes / 2;
  expect(tooMany(versions(4, { storedBytes }))).toEqual([3, 4]);
  expect(tooMany(versions(2, { storedBytes: KEPT.bytes + 1 }))).toEqual([2]);
});
