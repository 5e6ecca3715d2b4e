import type { Session } from '../../platform/mysql/session.js';
import { NotFound } from '../../platform/errors.js';
import { holdTeamRow } from './team-store.js';

/**
 * Keeps the team of something new from being deleted until the transaction ends: nothing is left of a team that
 * is gone. Others may hold it too. @throws NotFound when it is gone already.
 */
export async function holdTeam(id: number, session: Session): Promise<void> {
  if (!(await holdTeamRow(id, session))) throw new NotFound('Team');
}
