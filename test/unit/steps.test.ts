import { atOnce, inSlices, mapSteps, type Steps } from '../../src/platform/steps.js';

/** Longer than a slice. */
const LONG_MS = 15;

function hold(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

function failing(): number {
  hold(LONG_MS);
  throw new Error('No');
}

function* both(): Steps<number[]> {
  return [...(yield* mapSteps([1, 2], (item) => item)), 3];
}

describe('work in slices', () => {
  it('S15: leaves the loop to others after each slice', async () => {
    let turns = 0;
    let isOver = false;
    const count = () => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const results = await inSlices(
      mapSteps([1, 2, 3, 4], (item) => {
        hold(LONG_MS);
        return 2 * item;
      }),
    );
    isOver = true;
    expect(results).toEqual([2, 4, 6, 8]);
    expect(turns).toBeGreaterThanOrEqual(4);
  });

  it('S15: has one slice in a turn, and slices take turns', async () => {
    const seen: string[] = [];
    const work = (name: string) =>
      inSlices(
        mapSteps([1, 2, 3], (item) => {
          hold(LONG_MS);
          seen.push(`${name}${item}`);
          setImmediate(() => seen.push('.'));
        }),
      );
    await Promise.all([work('a'), work('b')]);
    expect(seen.join('')).toMatch(/a2\.+b2\.+a3\.+b3/);
  });

  it('does not pause for a little', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('turn'));
    await inSlices(mapSteps([1], () => order.push('step')));
    expect(order).toEqual(['step']);
  });

  it('S15: passes on what the work throws, and goes on with that of others', async () => {
    const fine = inSlices(mapSteps([1, 2], (item) => (hold(LONG_MS), item)));
    await expect(inSlices(mapSteps([1], failing))).rejects.toThrow('No');
    expect(await fine).toEqual([1, 2]);
  });

  it('can be done at once', () => {
    expect(atOnce(both())).toEqual([1, 2, 3]);
  });
});
