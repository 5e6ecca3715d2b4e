import { createRestedTurns } from '../../src/operate/monitoring/inbox/rested-turns.js';
import { eventually } from '../support/eventually.js';

/** Work that ends when it is told to, and whether it began. */
function held() {
  const work = { began: false, end: () => {} };
  const ended = new Promise<void>((resolve) => (work.end = resolve));
  return {
    work,
    run: async () => {
      work.began = true;
      await ended;
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns with rests', () => {
  it('do one piece of work at a time, also for several tenants', async () => {
    const takeTurn = createRestedTurns(0, 0);
    const [first, second] = [held(), held()];
    const turns = [takeTurn(1, first.run), takeTurn(2, second.run)];
    await eventually(() => first.work.began);
    await settled();
    expect(second.work.began).toBe(false);
    first.work.end();
    await eventually(() => second.work.began);
    second.work.end();
    await Promise.all(turns);
  });

  it('let a tenant rest for long, and others not wait for that', async () => {
    const takeTurn = createRestedTurns(1_000_000, 3_600_000);
    await takeTurn(1, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    let again = false;
    void takeTurn(1, () => Promise.resolve((again = true)));
    expect(await takeTurn(2, () => Promise.resolve('read'))).toBe('read');
    expect(await takeTurn(3, () => Promise.resolve('read'))).toBe('read');
    expect(again).toBe(false);
  });

  it('go on after work that failed', async () => {
    const takeTurn = createRestedTurns(0, 0);
    await expect(takeTurn(1, () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await takeTurn(1, () => Promise.resolve('read'))).toBe('read');
  });
});
