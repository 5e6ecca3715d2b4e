import type { Session } from '../session.js';

/** Tables with a column `claims`. */
export type ClaimedTable =
  | 'tenants'
  | 'users'
  | 'teams'
  | 'folders'
  | 'stories'
  | 'cases'
  | 'records'
  | 'steps';

/** The SQL that changes a row, so that of two nodes that claim it one is refused at COMMIT (decision 0075). */
export const CLAIM = 'claims = claims + 1';

/**
 * Locks a row until the transaction ends, on every node of a cluster. Claim it before you read what it guards. Returns false if
 * the row does not exist.
 */
export async function claimRow(session: Session, table: ClaimedTable, id: number): Promise<boolean> {
  const { affectedRows } = await session.run(`UPDATE ${table} SET ${CLAIM} WHERE id = ?`, [id]);
  return affectedRows === 1;
}

/** Locks the tenant's rows among these as `claimRow` does, lowest ids first. Returns their number. */
export async function claimRows(
  session: Session,
  table: 'teams' | 'cases',
  { ids, tenantId }: { ids: readonly number[]; tenantId: number },
): Promise<number> {
  if (ids.length === 0) return 0;
  const { affectedRows } = await session.run(
    `UPDATE ${table} SET ${CLAIM} WHERE id IN (?) AND tenant_id = ? ORDER BY id`,
    [[...ids], tenantId],
  );
  return affectedRows;
}
