import { Conflict } from '../../../platform/errors.js';
import { retryLockConflicts } from '../../../platform/mysql/commit/retry-conflicts.js';
import type { Database } from '../../../platform/mysql/database.js';
import type { Session } from '../../../platform/mysql/session.js';
import { holdsRepository } from '../repository-store.js';
import type { SyncRun } from './sync-types.js';

interface Held {
  repository: Pick<SyncRun['repository'], 'id'>;
  holder: string;
}

/** @throws Conflict if another process has taken the repository over: what it knows is newer. */
export async function requireHeld({ repository, holder }: Held, session: Session): Promise<void> {
  if (!(await holdsRepository({ id: repository.id, holder }, session)))
    throw new Conflict('Another process syncs this repository');
}

/** Well within the lease, also when the database is slow. */
const RENEW_MS = 30_000;

/** Does work of a sync, and renews its lease meanwhile: commands of git may take longer, one after the other. */
export async function whileHeld<Result>(
  run: Held,
  work: () => Promise<Result>,
  { database, everyMs = RENEW_MS }: { database: Pick<Database, 'transaction'>; everyMs?: number },
): Promise<Result> {
  const { repository, holder } = run;
  // A lost lease refuses the next write.
  const renew = () =>
    database
      .transaction((session) => holdsRepository({ id: repository.id, holder }, session))
      .catch(() => undefined);
  const beat = setInterval(() => void renew(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
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
