import type { Database } from '../platform/mysql/database.js';
import { retryLockConflicts } from '../platform/mysql/retry-conflicts.js';
import type { Session } from '../platform/mysql/session.js';
import type { Logger } from '../platform/logger.js';
import { loopUntil } from '../platform/runtime/background-loop.js';
import {
  type Chore,
  type ChoreKind,
  fillField,
  finishChore,
  removeFieldValues,
  removeTypeRecords,
  takeChore,
} from './record-chore-store.js';

/** Records of one transaction: short enough that nobody waits for its locks. */
const BATCH = 500;
/** Between two batches, so that they leave the database to others. */
const PAUSE_MS = 50;
/** When there is nothing to do. */
const IDLE_MS = 2_000;

type ChoreDatabase = Pick<Database, 'transaction'>;
type Step = (chore: Chore, limit: number, session: Session) => Promise<number>;

/** Removes the values of at most `limit` records of a field that was removed; gives how many it has worked on. */
export const removeDueFieldValues = (database: ChoreDatabase, limit: number): Promise<number> =>
  workOn('remove_field', removeFieldValues, { database, limit });

/** Gives at most `limit` records their rows for a field that was added after them. */
export const fillDueFields = (database: ChoreDatabase, limit: number): Promise<number> =>
  workOn('fill_field', fillField, { database, limit });

/** Removes at most `limit` records of a type that was deleted. */
export const removeDueRecords = (database: ChoreDatabase, limit: number): Promise<number> =>
  workOn('remove_type', removeTypeRecords, { database, limit });

/** One batch of the oldest chore of this kind. A batch that finds nothing ends the chore. */
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

export type RecordChores = ReturnType<typeof createRecordChores>;

/** What is left of changes of record types, worked off in the background. */
export function createRecordChores({ database, logger }: { database: ChoreDatabase; logger: Logger }) {
  const batches = [fillDueFields, removeDueFieldValues, removeDueRecords];

  /** One batch of each kind; gives how many records were worked on. */
  const workOnce = async (): Promise<number> => {
    let done = 0;
    for (const batch of batches) done += await batch(database, BATCH);
    return done;
  };

  return {
    workOnce,
    /** Works until the signal, however often the database is away. */
    run: (signal: AbortSignal): Promise<void> =>
      loopUntil(signal, {
        pass: async () => ((await workOnce()) > 0 ? PAUSE_MS : IDLE_MS),
        restAfterErrorMs: IDLE_MS,
        failure: 'records could not be tidied; trying again',
        logger,
      }),
  };
}
