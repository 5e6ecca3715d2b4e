import { isSampled } from '../../../src/trial/shadows/advance-shadow.js';

const idsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
const taken = (ids: number[], percent: number) => ids.filter((id) => isSampled(id, percent));

describe('stories as software: a sample of the runs', () => {
  test.each([1, 5, 10, 25, 50, 90])('of %i percent takes so many, wherever the ids are', (percent) => {
    for (const first of [1, 123_456, 4_000_000_000]) {
      const share = taken(idsFrom(first, 10_000), percent).length / 100;
      expect(Math.abs(share - percent)).toBeLessThan(0.1 * percent + 0.5);
    }
  });

  test('takes ids at equal distances, too: other stories have runs in between', () => {
    for (const step of [2, 3, 10, 16, 100]) {
      const ids = idsFrom(1, 10_000).map((at) => at * step);
      expect(Math.abs(taken(ids, 25).length / 100 - 25)).toBeLessThan(3);
    }
  });

  test('takes all of 100 percent, and a larger sample has all runs of a smaller one', () => {
    const ids = idsFrom(1, 2_000);
    expect(taken(ids, 100)).toEqual(ids);
    const many = new Set(taken(ids, 40));
    expect(taken(ids, 10).filter((id) => !many.has(id))).toEqual([]);
  });
});
