import type { Session } from '../../platform/mysql/session.js';

/** Returns the names of these users of a tenant, by id. Without a name it is the first part of the mail address. */
export async function findPersonNames(
  userIds: readonly number[],
  tenantId: number,
  session: Session,
): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await session.rows<{ id: number; name: string }>(
    `SELECT id,
            COALESCE(NULLIF(TRIM(CONCAT_WS(' ', first_name, last_name)), ''), SUBSTRING_INDEX(email, '@', 1)) AS name
     FROM users WHERE tenant_id = ? AND id IN (?)`,
    [tenantId, [...userIds]],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}
