import { idsOrNone } from '../platform/mysql/page-query.js';
import type { Session } from '../platform/mysql/session.js';

/** Lets one change of a team's families of records happen at a time, until the transaction ends. */
export async function lockTeamOf(teamId: number, session: Session): Promise<void> {
  await session.rows('SELECT id FROM teams WHERE id = ? FOR UPDATE', [teamId]);
}

/**
 * The teams of these cases of the tenant, by case id; unknown ones are left out. The cases are held until the transaction
 * ends, the lowest id first, as by all who change them: none goes, and none moves to another team.
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
