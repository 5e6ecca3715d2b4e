import type { Logger } from '../../../platform/logger.js';
import type { Database } from '../../../platform/mysql/database.js';
import { loopUntil } from '../../../platform/runtime/background-loop.js';
import { unlessLocked, walkPage } from '../../backfill/walk-page.js';
import { createIndexPositionStore, findIndexState, type IndexState } from './index-position-store.js';
import { type IndexPage, readIndexPage } from './index-page.js';
import type { IsSecret } from './known-secrets.js';
import { storeRunValues } from './run-value-store.js';

export interface ValueIndexerDeps {
  database: Pick<Database, 'read' | 'transaction'>;
  /** Returns what knows the secrets of a team: they are not indexed. */
  secretsOf: (teamId: number) => Promise<IsSecret>;
  /** Younger runs are indexed later; 30 unless given. */
  holdBackSeconds?: number;
  logger: Logger;
}

/** A statement that inserts has stored all of its rows after that time (see `settledRows`). */
const HOLD_BACK_SECONDS = 30;
/** Most runs of a second: a flood leaves the index behind, and slows nothing. */
const RUNS_PER_SECOND = 200;
/** Rest for each ms of work: a slow database is left to others. */
const REST_PER_MS = 3;
const PAUSE_MS = 10_000;
const PAUSE_AFTER_ERROR_MS = 30_000;

/** Returns the pause after a page, in ms, so that both bounds hold. */
export function restAfter({ runs, tookMs }: { runs: number; tookMs: number }): number {
  return Math.max((runs / RUNS_PER_SECOND) * 1000 - tookMs, tookMs * REST_PER_MS);
}

/**
 * Creates what fills the index of the search: it reads the first event of each run behind its start, in order. Any number
 * of processes may run it; values and position are stored in one transaction.
 */
export function createValueIndexer({ holdBackSeconds = HOLD_BACK_SECONDS, ...deps }: ValueIndexerDeps) {
  const { database, logger } = deps;
  const tick = async (): Promise<number> => {
    const began = performance.now();
    const state = await findWork(database);
    if (state === undefined) return PAUSE_MS;
    const page = await unlessLocked('run_values', logger, () =>
      readIndexPage(state, { ...deps, holdBackSeconds }),
    );
    if (page === undefined || !(await store(page, state, deps)) || !page.more) return PAUSE_MS;
    return restAfter({ runs: page.runs, tookMs: performance.now() - began });
  };
  return {
    /** Indexes the next page. Returns the pause that should follow, in ms. */
    tick,
    /** Indexes until `until` is aborted. */
    run: (until: AbortSignal): Promise<void> =>
      loopUntil(until, {
        pass: tick,
        restAfterErrorMs: PAUSE_AFTER_ERROR_MS,
        failure: 'could not index runs for search',
        logger,
      }),
  };
}

/** Returns the position if there are runs after it. */
async function findWork(database: Pick<Database, 'read'>): Promise<IndexState | undefined> {
  const state = await database.read(findIndexState);
  if (state !== undefined) return state.newestId > state.afterId ? state : undefined;
  await database.read(createIndexPositionStore);
  return database.read(findIndexState);
}

/** Returns false if another process has stored the page, or is at it. */
async function store(page: IndexPage, { afterId }: IndexState, deps: ValueIndexerDeps): Promise<boolean> {
  const stored = await walkPage('run_values', {
    ...deps,
    async work(session, position) {
      if (position.afterId !== afterId) return undefined;
      await storeRunValues(session, page.values);
      return page;
    },
  });
  return stored !== undefined;
}
