import type { Database } from '../../../platform/mysql/database.js';
import { retryConflicts, retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../../platform/mysql/session.js';
import { findRunsToCancel, findDeliveriesToCancel, markCancelled } from './cancel-store.js';
import { deleteDeliveries } from '../deliveries/delivery-store.js';
import { deleteImplodeItems } from '../deliveries/implode-store.js';

/** Rows of one statement; small transactions do not block the engine. */
const BATCH = 1_000;
/** Most runs cancelled with one run: called runs of all levels. */
const MAX_RUNS = 10_000;

/**
 * Cancels a run and the runs that its agents called (rule 13). The mark is committed first, so that running work sees it
 * at its next check; then open deliveries are deleted. An agent that runs now finishes, but its event goes to no receiver.
 * `alongside` stores in the transaction of the mark. Returns false if the run was cancelled before; then it only
 * completes an interrupted cancel.
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
  // The loop also visits the runs that are added meanwhile.
  for (const guid of runs) {
    await deleteOpenDeliveries(database, guid);
    const called = await database.read((session) => findRunsToCancel(session, guid, MAX_RUNS - runs.size));
    for (const child of called) {
      await database.read((session) => markCancelled(session, child));
      runs.add(child);
    }
  }
  return fresh;
}

async function deleteOpenDeliveries(database: Database, storyRunGuid: string): Promise<void> {
  for (;;) {
    const ids = await database.read((session) => findDeliveriesToCancel(session, storyRunGuid, BATCH));
    if (ids.length === 0) return;
    await retryConflicts(() =>
      database.transaction(async (session) => {
        await deleteDeliveries(session, ids);
        await deleteImplodeItems(session, ids);
      }),
    );
  }
}
