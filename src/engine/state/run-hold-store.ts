import type { Session } from '../../platform/mysql/session.js';

/** What somebody must know who gives a run more to do. */
export interface RunHold {
  /** Somebody waits for its response. */
  awaited: boolean;
  cancelled: boolean;
}

/** How the run stands now; undefined when it is not there (any more). */
export function findRunHold(session: Session, storyRunGuid: string): Promise<RunHold | undefined> {
  return read(session, storyRunGuid, '');
}

/** As `findRunHold`; nobody cancels the run until the transaction ends, so that a cancel finds all that was added. */
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
