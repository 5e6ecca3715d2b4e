import type { Session } from '../db/session.js';

/**
 * Ends these keys, each once, and closes the service accounts made for them: nobody else acts as those. Their past
 * stays their own. The people behind personal keys keep their accounts and their teams. Call it in a transaction.
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

/** Every key of the team, revoked ones too. */
export async function findTeamKeys(teamId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>('SELECT id FROM api_keys WHERE team_id = ?', [teamId]);
  return rows.map(({ id }) => id);
}
