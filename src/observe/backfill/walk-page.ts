import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import { isLockConflict } from '../../platform/mysql/db-errors.js';
import type { Session } from '../../platform/mysql/session.js';
import { lockPosition, movePosition, type WalkName, type WalkPosition } from './position-store.js';

/** A page of a walk that was worked on. */
export interface WalkedPage {
  /** The position after it. */
  position: WalkPosition;
  /** The page was full: another may follow at once. */
  more: boolean;
}

/** The work of a walk with the page after a position. */
export interface PageWork<Page extends WalkedPage> {
  database: Pick<Database, 'transaction'>;
  logger: Logger;
  /** Called in the transaction that has locked the position. Returns undefined if there is no page. */
  work: (session: Session, position: WalkPosition) => Promise<Page | undefined>;
}

/**
 * Works on the next page of a walk; its rows and the position move in one transaction, so that a page counts once,
 * whoever dies at any line. Returns undefined if there is none, another process is at it, or a row of it is locked.
 */
export async function walkPage<Page extends WalkedPage>(
  name: WalkName,
  { database, logger, work }: PageWork<Page>,
): Promise<Page | undefined> {
  return unlessLocked(name, logger, () =>
    database.transaction(async (session) => {
      const position = await lockPosition(session, name);
      const page = position && (await work(session, position));
      if (page !== undefined) await movePosition(session, name, page.position);
      return page;
    }),
  );
}

/** Does a part of a walk. Returns undefined if a lock of another transaction is in its way: a later pass goes on. */
export async function unlessLocked<Result>(
  name: WalkName,
  logger: Logger,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isLockConflict(error)) throw error;
    logger.debug('counting is waiting for another transaction', { walk: name, error: messageOf(error) });
    return undefined;
  }
}
