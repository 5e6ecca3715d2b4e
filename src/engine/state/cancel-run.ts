import type { Database } from '../../platform/mysql/database.js';
import { retryConflicts, retryLockConflicts } from '../../platform/mysql/retry-conflicts.js';
import type { Session } from '../../platform/mysql/session.js';
import { findCalledRuns, findOpenDeliveries, markCancelled } from './cancel-store.js';
import { deleteDeliveries } from './delivery-store.js';
import { deleteImplodeItems } from './implode-store.js';

/** Rows of one statement: small transactions keep out of the engine's way. */
const BATCH = 1_000;
/** Runs called by runs, all levels together. */
const MAX_RUNS = 10_000;

/**
 * Stops a run, and the runs its actions have called (rule 13): committed first, so that work under way finds out
 * when it looks; then what is waiting goes. An action that is at work right now ends; its event leads nowhere. Gives
 * false when the run was cancelled before, and completes that if it broke off; else what `alongside` stores is there from
 * the moment of the mark on.
 */
export async function cancelRun(
  database: Database,
  storyRunGuid: string,
  alongside?: (session: Session) => Promise<unknown>,
): Promise<boolean> {
  const fresh = await retryLockConflicts(() =>
    database.transaction(async (session) => {
      const marked = await markCancelled(session, storyRunGuid);
      if (marked) await alongside?.(session);
      return marked;
    }),
  );
  const runs = new Set([storyRunGuid]);
  // Comes to those that are added on the way, too.
  for (const guid of runs) {
    await deleteOpenDeliveries(database, guid);
    const called = await database.read((session) => findCalledRuns(session, guid, MAX_RUNS - runs.size));
    for (const child of called) {
      await database.read((session) => markCancelled(session, child));
      runs.add(child);
    }
  }
  return fresh;
}

async function deleteOpenDeliveries(database: Database, storyRunGuid: string): Promise<void> {
  for (;;) {
    const ids = await database.read((session) => findOpenDeliveries(session, storyRunGuid, BATCH));
    if (ids.length === 0) return;
    await retryConflicts(() =>
      database.transaction(async (session) => {
        await deleteDeliveries(session, ids);
        await deleteImplodeItems(session, ids);
      }),
    );
  }
}
