import { createLoopSlices } from '../../../src/engine/execute/scheduling/loop-slices.js';
import { inTimeSlice, TimeLimit, TimeSliceExceeded } from '../../../src/platform/runtime/time-limit.js';

/** Goes on for a minute, if nobody stops it, and catches what is thrown. */
function spin(): string {
  const limit = new TimeLimit(60_000);
  try {
    while (!limit.isOver());
    throw new Error('the limit of the work');
  } catch {
    return 'caught';
  }
}

describe('work on the event loop', () => {
  test('ends with its time slice, whatever limits and catches are inside of it', () => {
    expect(() => inTimeSlice(20, spin)).toThrow(TimeSliceExceeded);
    expect(inTimeSlice(20, () => 'quick')).toBe('quick');
  });

  test('that resumes together yields to others, tenant by tenant', async () => {
    const turns = createLoopSlices();
    const order: string[] = [];
    const work = (name: string) => () => {
      for (const end = performance.now() + 8; performance.now() < end; );
      order.push(name);
    };
    let loopTurns = 0;
    const count = () => {
      loopTurns += 1;
      if (order.length < 8) setImmediate(count);
    };
    setImmediate(count);
    await Promise.all([
      ...[1, 2, 3, 4, 5, 6].map((n) => turns.run(1, work(`a${n}`))),
      ...[1, 2].map((n) => turns.run(2, work(`b${n}`))),
    ]);
    expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4', 'a5', 'a6']);
    expect(loopTurns).toBeGreaterThanOrEqual(7);
  });
});
