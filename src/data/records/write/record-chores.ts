import type { Database } from '../../../platform/mysql/database.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { Logger } from '../../../platform/logger.js';
import { loopUntil } from '../../../platform/runtime/background-loop.js';
import {
  ANY_CHORE,
  type Chore,
  type ChoreKind,
  fillField,
  finishChore,
  removeFieldValues,
  removeTypeRecords,
  takeChore,
} from './record-chore-store.js';

/** Records of one transaction: short, so that its locks block nobody for long. */
const BATCH = 500;
/** Pause between two batches, in which the database serves others. */
const PAUSE_MS = 50;
/** Pause if there is nothing to do. */
const IDLE_MS = 2_000;

type ChoreDatabase = Pick<Database, 'transaction' | 'read'>;
type Step = (chore: Chore, limit: number, session: Session) => Promise<number>;

/** Removes the values of a deleted field from at most `limit` records; returns the number of processed records. */
export const removeDueFieldValues = (database: ChoreDatabase, limit: number): Promise<number> =>
  workOn('remove_field', removeFieldValues, { database, limit });

/** Inserts the value rows of a newer field into at most `limit` records. */
export const fillDueFields = (database: ChoreDatabase, limit: number): Promise<number> =>
  workOn('fill_field', fillField, { database, limit });

/** Deletes at most `limit` records of a deleted type. */
export const removeDueRecords = (database: ChoreDatabase, limit: number): Promise<number> =>
  workOn('remove_type', removeTypeRecords, { database, limit });

/** Processes one batch of the oldest chore of this kind. A batch without records completes the chore. */
function workOn(
  kind: ChoreKind,
  step: Step,
  { database, limit }: { database: ChoreDatabase; limit: number },
): Promise<number> {
  return retryLockConflicts(() =>
    database.transaction(async (session) => {
      const chore = await takeChore(kind, session);
      if (chore === undefined) return 0;
      const done = await step(chore, limit, session);
      if (done === 0) await finishChore(chore.id, session);
      return done;
    }),
  );
}

/** Finishes changes of record types in the background. */
export function createRecordChores({
  database,
  logger,
}: {
  database: ChoreDatabase & Pick<Database, 'exists'>;
  logger: Logger;
}) {
  const batches = [fillDueFields, removeDueFieldValues, removeDueRecords];

  /** Processes one batch of each kind; returns the number of processed records. */
  const workOnce = async (): Promise<number> => {
    if (!(await database.exists(ANY_CHORE))) return 0;
    let done = 0;
    for (const batch of batches) done += await batch(database, BATCH);
    return done;
  };

  return {
    workOnce,
    /** Repeats until the signal aborts, also across outages of the database. */
    run: (signal: AbortSignal): Promise<void> =>
      loopUntil(signal, {
        pass: async () => ((await workOnce()) > 0 ? PAUSE_MS : IDLE_MS),
        restAfterErrorMs: IDLE_MS,
        failure: 'background work on records failed; retrying',
        logger,
      }),
  };
}
