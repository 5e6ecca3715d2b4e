import type { Session } from '../db/session.js';

/** Lets one change of a team's families of records happen at a time, until the transaction ends. */
export async function lockTeamOf(teamId: number, session: Session): Promise<void> {
  await session.rows('SELECT id FROM teams WHERE id = ? FOR UPDATE', [teamId]);
}
