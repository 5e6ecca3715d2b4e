import type { Database } from '../../platform/mysql/database.js';
import { retryLockConflicts } from '../../platform/mysql/commit/retry-conflicts.js';
import {
  endRemoval,
  type Removal,
  type Removed,
  type RemovalPage,
  removeRows,
} from './stores/removal-store.js';

/** Deletes one page of a removal. */
type RemovePage = (page: Pick<RemovalPage, 'afterId'>) => Promise<Removed>;

/** Deletes page after page while `mayGoOn` allows it. Returns true if no page is left. */
export async function walkRemoval(remove: RemovePage, mayGoOn: () => boolean = () => true): Promise<boolean> {
  let afterId = 0;
  while (mayGoOn()) {
    const { lastId } = await remove({ afterId });
    if (lastId === undefined) return true;
    afterId = lastId;
  }
  return false;
}

/** Rows of one transaction while a request waits. */
const ROWS_AT_ONCE = 500;

/** Works on a removal for up to `forMs`; retention goes on with what is left then. Returns whether it is finished. */
export async function finishRemoval(
  database: Pick<Database, 'read' | 'transaction'>,
  removal: Removal,
  forMs: number,
): Promise<boolean> {
  const until = performance.now() + forMs;
  const finished = await walkRemoval(
    ({ afterId }) =>
      retryLockConflicts(() =>
        database.transaction((session) => removeRows(session, removal, { afterId, limit: ROWS_AT_ONCE })),
      ),
    () => performance.now() < until,
  );
  if (finished) await database.read((session) => endRemoval(session, removal));
  return finished;
}
