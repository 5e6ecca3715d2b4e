import type { Session } from '../../platform/mysql/session.js';
import { NotFound } from '../../platform/errors.js';
import { holdTeamRow } from './team-store.js';

/**
 * Holds a team until the transaction ends, so that it is not deleted on any node while an object is added to it.
 * Several transactions can hold it. @throws NotFound if the team was deleted.
 */
export async function holdTeam(id: number, session: Session): Promise<void> {
  if (!(await holdTeamRow(id, session))) throw new NotFound('Team');
}
