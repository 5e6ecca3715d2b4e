import { CLAIM } from '../../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../../platform/mysql/session.js';

/** The state of a run that code must check before it adds deliveries. */
export interface RunHold {
  /** A webhook request waits for its response. */
  awaited: boolean;
  cancelled: boolean;
}

/** Returns the run's current state; undefined if it does not exist (any more). */
export async function findRunHold(session: Session, storyRunGuid: string): Promise<RunHold | undefined> {
  const [row] = await session.rows<{ awaited: number; cancelled: number }>(
    'SELECT awaited, cancelled_at IS NOT NULL AS cancelled FROM story_runs WHERE guid = ?',
    [storyRunGuid],
  );
  return row === undefined ? undefined : { awaited: row.awaited !== 0, cancelled: row.cancelled !== 0 };
}

/**
 * Like `findRunHold`, and excludes a cancel and the run's deletion until the transaction ends, on every node: the cancel
 * finds all added deliveries.
 */
export async function holdRun(session: Session, storyRunGuid: string): Promise<RunHold | undefined> {
  await session.run(`UPDATE story_runs SET ${CLAIM} WHERE guid = ?`, [storyRunGuid]);
  return findRunHold(session, storyRunGuid);
}
