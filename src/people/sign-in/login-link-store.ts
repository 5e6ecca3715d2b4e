import type { Session } from '../../platform/mysql/session.js';

/** A link signs its user in, or lets them set a password. */
export type LinkPurpose = 'sign_in' | 'password';

/** A link to store. */
export interface NewLoginLink {
  digest: string;
  userId: number;
  purpose: LinkPurpose;
  minutes: number;
}

/** Stores a link. */
export async function insertLink(
  { digest, userId, purpose, minutes }: NewLoginLink,
  session: Session,
): Promise<void> {
  await session.run(
    'INSERT INTO login_links (digest, user_id, purpose, expires_at) VALUES (?, ?, ?, NOW(3) + INTERVAL ? MINUTE)',
    [digest, userId, purpose, minutes],
  );
}

/** Uses up a link. Returns its user; undefined if it expired, is unknown, or somebody was faster. Must run in a transaction. */
export async function takeLink(
  digest: string,
  purpose: LinkPurpose,
  session: Session,
): Promise<number | undefined> {
  const userId = await findLinkUser(digest, purpose, session);
  if (userId === undefined) return undefined;
  const { affectedRows } = await session.run('DELETE FROM login_links WHERE digest = ?', [digest]);
  return affectedRows === 1 ? userId : undefined;
}

/** Returns the user of a link that works; undefined if it expired, was used or is unknown. */
export async function findLinkUser(
  digest: string,
  purpose: LinkPurpose,
  session: Session,
): Promise<number | undefined> {
  const [row] = await session.rows<{ userId: number }>(
    'SELECT user_id AS userId FROM login_links WHERE digest = ? AND purpose = ? AND expires_at > NOW(3)',
    [digest, purpose],
  );
  return row?.userId;
}

/** Counts the links for the user of the last minutes. */
export async function countLoginLinks(
  { userId, purpose, minutes }: Omit<NewLoginLink, 'digest'>,
  session: Session,
): Promise<number> {
  const [row] = await session.rows<{ n: number }>(
    `SELECT COUNT(*) AS n FROM login_links
     WHERE user_id = ? AND purpose = ? AND created_at > NOW(3) - INTERVAL ? MINUTE`,
    [userId, purpose, minutes],
  );
  return row?.n ?? 0;
}

/** Deletes the user's links of a purpose: none of them works any more. */
export async function deleteLoginLinks(userId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM login_links WHERE user_id = ?', [userId]);
}
