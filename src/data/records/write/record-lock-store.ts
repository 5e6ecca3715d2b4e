import { idsOrNone } from '../../../platform/mysql/statements/page-query.js';
import { claimRow, claimRows } from '../../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../../platform/mysql/session.js';

/** Locks the team until the transaction ends, so that parents and children of its records change one at a time. */
export async function lockTeamOf(teamId: number, session: Session): Promise<void> {
  await claimRow(session, 'teams', teamId);
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
  await claimRows(session, 'cases', { ids, tenantId });
  const rows = await session.rows<{ id: number; teamId: number }>(
    'SELECT id, team_id AS teamId FROM cases WHERE id IN (?) AND tenant_id = ? ORDER BY id',
    [idsOrNone(ids), tenantId],
  );
  return new Map(rows.map(({ id, teamId }) => [id, teamId]));
}
