import type { Session } from '../../platform/mysql/session.js';
import type { ApiKey } from '../tenants/tenancy.js';

/**
 * Revokes these keys and deactivates the service accounts created for them; earlier writes keep these accounts as
 * their user. Users of personal keys keep their accounts and teams. Must run in a transaction.
 */
export async function revokeKeys(ids: number[], session: Session): Promise<void> {
  if (ids.length === 0) return;
  await session.run('UPDATE api_keys SET revoked_at = NOW(3) WHERE id IN (?) AND revoked_at IS NULL', [ids]);
  await session.run(
    `DELETE m FROM memberships m JOIN users u ON u.id = m.user_id JOIN api_keys k ON k.user_id = u.id
     WHERE k.id IN (?) AND u.is_service_account = TRUE`,
    [ids],
  );
  await session.run(
    `UPDATE users u JOIN api_keys k ON k.user_id = u.id SET u.deactivated_at = NOW(3)
     WHERE k.id IN (?) AND u.is_service_account = TRUE AND u.deactivated_at IS NULL`,
    [ids],
  );
}

/** Returns the ids of all keys of the team, including revoked ones. */
export async function findTeamKeys(teamId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>('SELECT id FROM api_keys WHERE team_id = ?', [teamId]);
  return rows.map(({ id }) => id);
}

/** Kind and user of a key. `works`: it is neither revoked nor expired, and its user is active. */
export interface KeyInUse extends Pick<ApiKey, 'kind' | 'userId'> {
  works: boolean;
}

export async function findKeyInUse(
  tenantId: number,
  id: number,
  session: Session,
): Promise<KeyInUse | undefined> {
  const [row] = await session.rows<Omit<KeyInUse, 'works'> & { works: number }>(
    `SELECT k.kind, k.user_id AS userId,
            k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > NOW(3))
              AND u.deactivated_at IS NULL AS works
     FROM api_keys k JOIN users u ON u.id = k.user_id WHERE k.tenant_id = ? AND k.id = ?`,
    [tenantId, id],
  );
  return row && { ...row, works: row.works === 1 };
}
