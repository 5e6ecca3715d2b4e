import { idsOrNone } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';

/** Locks the team until the transaction ends, so that parents and children of its records change one at a time. */
export async function lockTeamOf(teamId: number, session: Session): Promise<void> {
  await session.rows('SELECT id FROM teams WHERE id = ? FOR UPDATE', [teamId]);
}

/**
 * Returns the teams of these cases of the tenant, by case id, without unknown ones. Locks the cases until the transaction
 * ends, lowest id first like all writers of cases: none can be deleted or moved to another team.
 */
export async function lockCaseTeams(
  ids: number[],
  tenantId: number,
  session: Session,
): Promise<Map<number, number>> {
  const rows = await session.rows<{ id: number; teamId: number }>(
    'SELECT id, team_id AS teamId FROM cases WHERE id IN (?) AND tenant_id = ? ORDER BY id FOR UPDATE',
    [idsOrNone(ids), tenantId],
  );
  return new Map(rows.map(({ id, teamId }) => [id, teamId]));
}
