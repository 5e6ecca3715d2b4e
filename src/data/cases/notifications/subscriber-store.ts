import { type Page, readPage, type Window } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { CaseUser } from '../case.js';
import { usersById } from '../people/case-people-store.js';

/** A subscriber of a case: an address or a user. */
export interface CaseSubscriber {
  id: number;
  url: string | null;
  user: CaseUser | undefined;
  createdAt: Date;
}

/** URL of a subscriber, and the secret that signs requests to it. */
export interface CallAddress {
  url: string;
  secret: string;
}

interface SubscriberRow {
  id: number;
  url: string | null;
  userId: number | null;
  createdAt: Date;
}

const COLUMNS = 'id, url, user_id AS userId, created_at AS createdAt';

/** Returns a page of the case's subscribers, oldest first. */
export async function listSubscribers(
  caseId: number,
  window: Window,
  session: Session,
): Promise<Page<CaseSubscriber>> {
  const query = { columns: COLUMNS, from: 'case_subscribers', where: 'case_id = ?', values: [caseId] };
  const page = await readPage<SubscriberRow>(session, { ...query, order: 'id' }, window);
  return { ...page, items: await withUsers(page.items, session) };
}

/** Returns all subscribers of the case. */
export async function allSubscribers(caseId: number, session: Session): Promise<CaseSubscriber[]> {
  const rows = await session.rows<SubscriberRow>(
    `SELECT ${COLUMNS} FROM case_subscribers WHERE case_id = ? ORDER BY id`,
    [caseId],
  );
  return withUsers(rows, session);
}

/** Subscribes these users, who are no subscribers of the case yet. */
export async function insertUsers(
  caseId: number,
  userIds: readonly number[],
  session: Session,
): Promise<void> {
  if (userIds.length === 0) return;
  await session.run('INSERT INTO case_subscribers (case_id, user_id) VALUES ?', [
    userIds.map((userId) => [caseId, userId]),
  ]);
}

/** Returns the new subscriber's id. */
export async function insertSubscriber(
  caseId: number,
  subscriber: CallAddress | { userId: number },
  session: Session,
): Promise<number> {
  const row =
    'url' in subscriber
      ? [caseId, subscriber.url, subscriber.secret, null]
      : [caseId, null, null, subscriber.userId];
  const { insertId } = await session.run(
    'INSERT INTO case_subscribers (case_id, url, secret, user_id) VALUES (?)',
    [row],
  );
  return insertId;
}

/** Returns true if the subscriber existed. Its queued notifications are dropped when they are due. */
export async function removeSubscriber(caseId: number, id: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run('DELETE FROM case_subscribers WHERE id = ? AND case_id = ?', [
    id,
    caseId,
  ]);
  return affectedRows > 0;
}

/** Removes the URL subscribers of the case; users stay. */
export async function removeUrlSubscribers(caseId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM case_subscribers WHERE case_id = ? AND url IS NOT NULL', [caseId]);
}

/** Returns the subscriber's address; undefined if the subscriber does not exist, `null` if it is a user. */
export async function findCallAddress(id: number, session: Session): Promise<CallAddress | null | undefined> {
  const [row] = await session.rows<{ url: string | null; secret: string | null }>(
    'SELECT url, secret FROM case_subscribers WHERE id = ?',
    [id],
  );
  if (row === undefined) return undefined;
  return row.url === null || row.secret === null ? null : { url: row.url, secret: row.secret };
}

async function withUsers(rows: SubscriberRow[], session: Session): Promise<CaseSubscriber[]> {
  const users = await usersById(
    rows.flatMap(({ userId }) => userId ?? []),
    session,
  );
  return rows.map(({ id, url, userId, createdAt }) => ({
    id,
    url,
    user: userId === null ? undefined : users.get(userId),
    createdAt,
  }));
}
