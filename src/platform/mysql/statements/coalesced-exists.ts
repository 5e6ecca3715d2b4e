import { createBatchLoader } from './batch-loader.js';
import type { Session } from '../session.js';

/** Loops whose pauses end at the same time ask within this time, in ms. */
const GATHER_MS = 2;
/** Conditions of one statement: its reply has one bit for each. */
const MOST_CONDITIONS = 30;

/**
 * Returns a function that says whether an SQL condition holds, such as `EXISTS (…)`. Conditions that are asked at nearly the
 * same time share one statement: idle loops ask the database once for all of them. A condition is constant SQL of a store,
 * never input.
 */
export function createCoalescedExists(
  read: <T>(work: (session: Session) => Promise<T>) => Promise<T>,
): (condition: string) => Promise<boolean> {
  const load = createBatchLoader<string, boolean>(
    async (conditions) => {
      // One number instead of a column for each: columns cost the reader more than bits.
      const bits = conditions.map((condition, bit) => `((${condition}) << ${bit})`).join(' | ');
      const [row] = await read((session) => session.rows<{ held: number }>(`SELECT ${bits} AS held`));
      const held = row?.held ?? 0;
      return new Map(conditions.map((condition, bit) => [condition, (held & (1 << bit)) !== 0]));
    },
    { maxRound: MOST_CONDITIONS, gatherMs: GATHER_MS },
  );
  return async (condition) => (await load(condition)) === true;
}
