import { createShadowTurns, type DueShadow } from '../../../src/trial/shadows/shadow-turns.js';

const MINUTE = 60_000;

interface Worked {
  ms: number;
  turns: number;
  /** The longest time between two turns. */
  longestWait: number;
  lastAt: number;
}

/** Lets these tenants work for a time, one shadow each; returns how much each did. */
function worked(share: number, turnMs: Record<number, number>, forMs: number): Map<number, Worked> {
  let clock = 0;
  const turns = createShadowTurns(share, () => clock);
  const due: DueShadow[] = Object.keys(turnMs).map((id) => ({ id: Number(id), tenantId: Number(id) }));
  const done = new Map(due.map(({ id }) => [id, { ms: 0, turns: 0, longestWait: 0, lastAt: 0 }]));
  while (clock < forMs) {
    const next = turns.next(due);
    if (next === undefined) break;
    if ('waitMs' in next) {
      clock += Math.max(1, next.waitMs);
      continue;
    }
    const ms = turnMs[next.shadow.id]!;
    const mine = done.get(next.shadow.id)!;
    mine.longestWait = Math.max(mine.longestWait, clock - mine.lastAt);
    clock += ms;
    Object.assign(mine, { ms: mine.ms + ms, turns: mine.turns + 1, lastAt: clock });
    turns.took(next.shadow, { ms, rests: false });
  }
  return done;
}

const sum = (done: Map<number, Worked>) => [...done.values()].reduce((all, { ms }) => all + ms, 0);

describe('stories as software: turns of the shadows of several tenants', () => {
  test('five tenants with as much to do get as much', () => {
    const done = worked(0.25, { 1: 100, 2: 100, 3: 100, 4: 100, 5: 100 }, 10 * MINUTE);
    expect(sum(done)).toBeGreaterThan(0.24 * 10 * MINUTE);
    expect(sum(done)).toBeLessThan(0.26 * 10 * MINUTE);
    for (const { ms } of done.values()) expect(ms / sum(done)).toBeCloseTo(0.2, 1);
  });

  test('a slow tenant does not delay the other four by its rest, and all keep to the share', () => {
    const slow = 20_000;
    const done = worked(0.25, { 1: slow, 2: 20, 3: 20, 4: 20, 5: 20 }, 60 * MINUTE);
    expect(sum(done)).toBeLessThan(0.25 * 60 * MINUTE + slow);
    for (const tenant of [2, 3, 4, 5]) {
      // While the slow one works, they wait; while it rests, they do not.
      expect(done.get(tenant)!.longestWait).toBeLessThan(slow + 1_000);
      expect(done.get(tenant)!.ms).toBeGreaterThan(0.9 * 0.05 * 60 * MINUTE);
    }
    expect(done.get(1)!.ms).toBeLessThan(0.06 * 60 * MINUTE + 2 * slow);
  });

  test('a tenant that works alone has the whole share, and a share of 1 is no rest', () => {
    expect(sum(worked(0.1, { 1: 50 }, 10 * MINUTE)) / (10 * MINUTE)).toBeCloseTo(0.1, 2);
    expect(sum(worked(1, { 1: 50 }, MINUTE))).toBe(MINUTE);
  });

  test('the shadows of a tenant take turns; one with nothing to do rests for some seconds', () => {
    let clock = 0;
    const turns = createShadowTurns(1, () => clock);
    const due = [1, 2, 3].map((id) => ({ id, tenantId: 7 }));
    const order: number[] = [];
    for (let at = 0; at < 4; at += 1) {
      const next = turns.next(due);
      if (next === undefined || 'waitMs' in next) throw new Error('Nobody has a turn');
      order.push(next.shadow.id);
      clock += 10;
      turns.took(next.shadow, { ms: 10, rests: next.shadow.id === 2 });
    }
    expect(order).toEqual([1, 2, 3, 1]);
    expect(turns.next([due[1]!])).toBeUndefined();
    clock += 5_000;
    expect(turns.next([due[1]!])).toEqual({ shadow: due[1] });
  });
});
