import { Conflict } from '../../../platform/errors.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import { holdsRepository } from '../repository-store.js';
import type { SyncRun } from './sync-types.js';

type Held = Pick<SyncRun, 'repository' | 'holder'>;

/** @throws Conflict if another process has taken the repository over: what it knows is newer. */
export async function requireHeld({ repository, holder }: Held, session: Session): Promise<void> {
  if (!(await holdsRepository({ id: repository.id, holder }, session)))
    throw new Conflict('Another process syncs this repository');
}

/**
 * Returns what runs a transaction of a sync: it begins with `requireHeld`, so the repository is this process's for longer then,
 * and is repeated after conflicts of locks.
 */
export function createHeldWrite(database: Pick<Database, 'transaction'>) {
  return <Result>(run: Held, work: (session: Session) => Promise<Result>): Promise<Result> =>
    retryLockConflicts(() =>
      database.transaction(async (session) => {
        await requireHeld(run, session);
        return work(session);
      }),
    );
}
