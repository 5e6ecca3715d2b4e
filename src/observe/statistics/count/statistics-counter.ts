import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { repeated } from '../../../platform/runtime/background-loop.js';
import { createPositionStore } from '../../backfill/position-store.js';
import { walkPage } from '../../backfill/walk-page.js';
import { type CountPage, createCountingSteps } from './counting-steps.js';
import { addCounts, deleteOldCounts } from './hour-count-store.js';
import { addMinutes, deleteOldMinutes } from './minute-count-store.js';
import { COUNTED, type CountedKind, findUncounted } from './uncounted-store.js';

export interface StatisticsCounterDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  /** Hours are kept for so many days. */
  keptDays: number;
  /** Younger rows are counted later; 30 unless given. */
  holdBackSeconds?: number;
  logger: Logger;
}

/** Longer than ids may be reserved (notes/stores.md, Reserved ids) and a statement may take together (see `settledRows`). */
const HOLD_BACK_SECONDS = 30;
const PAUSE_MS = 10_000;
const PAUSE_AFTER_ERROR_MS = 30_000;
const DELETE_EVERY_MS = 60 * 60_000;
const DELETED_AT_ONCE = 1_000;

/**
 * Creates the counter of statistics (spec §5.11). It reads stored rows in order; sums and position move in one
 * transaction, so that a row counts once. `tick` counts all rows that can be counted now. Any number of processes may run it: the lock of a position lets one count.
 */
export function createStatisticsCounter(deps: StatisticsCounterDeps) {
  const { database, keptDays, holdBackSeconds = HOLD_BACK_SECONDS, logger } = deps;
  const steps = createCountingSteps(holdBackSeconds);
  let deletedAt = Number.NEGATIVE_INFINITY;

  const tick = async (signal = new AbortController().signal): Promise<void> => {
    let kinds = await findWork(database);
    while (kinds.length > 0 && !signal.aborted) {
      const began = performance.now();
      kinds = await countPages(kinds, { database, steps, logger });
      // Leaves the database to others for a while: it may have a million rows to count.
      if (kinds.length > 0) await rest((performance.now() - began) / 4, signal);
    }
    if (performance.now() - deletedAt < DELETE_EVERY_MS) return;
    if (await deleteOld(database, { keptDays, signal })) deletedAt = performance.now();
  };

  return repeated({
    tick,
    pauseAfter: () => PAUSE_MS,
    restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
    failure: 'could not count statistics',
    logger,
  });
}

type Work = Pick<StatisticsCounterDeps, 'database' | 'logger'> & { steps: Record<CountedKind, CountPage> };

/** Returns the kinds with rows to count. */
async function findWork(database: Pick<Database, 'read'>): Promise<CountedKind[]> {
  const kinds = await database.read(findUncounted);
  if (kinds !== undefined) return kinds;
  await database.read((session) => createPositionStore(session, COUNTED));
  return (await database.read(findUncounted)) ?? [];
}

/** Counts a page of each kind. Returns the kinds with more. */
async function countPages(kinds: CountedKind[], work: Work): Promise<CountedKind[]> {
  const more: CountedKind[] = [];
  for (const kind of kinds) if (await countPage(kind, work)) more.push(kind);
  return more;
}

/** Counts a page. Returns true if another may follow at once. */
async function countPage(kind: CountedKind, { database, steps, logger }: Work): Promise<boolean> {
  const page = await walkPage(kind, {
    database,
    logger,
    async work(session, position) {
      const counted = await steps[kind](session, position);
      if (counted === undefined) return undefined;
      await addCounts(session, counted.tally);
      await addMinutes(session, counted.tally);
      return counted;
    },
  });
  return page?.more === true;
}

/** Returns true if nothing is left to delete. */
async function deleteOld(
  database: Pick<Database, 'read'>,
  { keptDays, signal }: { keptDays: number; signal: AbortSignal },
): Promise<boolean> {
  while (!signal.aborted) {
    const deleted = await database.read(async (session) => [
      await deleteOldCounts(session, { days: keptDays, limit: DELETED_AT_ONCE }),
      await deleteOldMinutes(session, DELETED_AT_ONCE),
    ]);
    if (Math.max(...deleted) < DELETED_AT_ONCE) return true;
  }
  return false;
}

/** Waits, unless the signal aborts. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
