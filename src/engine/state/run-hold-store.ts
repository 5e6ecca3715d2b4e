import type { Session } from '../../platform/mysql/session.js';

/** The state of a run that code must check before it adds deliveries. */
export interface RunHold {
  /** A webhook request waits for its response. */
  awaited: boolean;
  cancelled: boolean;
}

/** Returns the run's current state; undefined if it does not exist (any more). */
export function findRunHold(session: Session, storyRunGuid: string): Promise<RunHold | undefined> {
  return read(session, storyRunGuid, '');
}

/** Like `findRunHold`, and blocks a cancel until the transaction ends, so that the cancel finds all added deliveries. */
export function holdRun(session: Session, storyRunGuid: string): Promise<RunHold | undefined> {
  return read(session, storyRunGuid, ' LOCK IN SHARE MODE');
}

async function read(session: Session, storyRunGuid: string, lock: string): Promise<RunHold | undefined> {
  const [row] = await session.rows<{ awaited: number; cancelled: number }>(
    `SELECT awaited, cancelled_at IS NOT NULL AS cancelled FROM story_runs WHERE guid = ?${lock}`,
    [storyRunGuid],
  );
  return row === undefined ? undefined : { awaited: row.awaited !== 0, cancelled: row.cancelled !== 0 };
}
