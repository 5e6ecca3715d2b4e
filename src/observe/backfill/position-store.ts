import type { Session } from '../../platform/mysql/session.js';

/** The walks through stored rows. `ends`: runs whose start is counted; `run_values`: first events, for the search. */
export type WalkName = 'events' | 'runs' | 'dead_letters' | 'ends' | 'run_values';

/** The last row of a walk. `afterAt` counts for dead letters alone; as the database writes times. */
export interface WalkPosition {
  afterId: number;
  afterAt: string;
}

interface PositionRow extends WalkPosition {
  name: WalkName;
}

/** Returns all positions that are stored. */
export async function findPositions(session: Session): Promise<Map<WalkName, WalkPosition>> {
  const rows = await session.rows<PositionRow>(
    'SELECT name, after_id AS afterId, CAST(after_at AS CHAR) AS afterAt FROM counting_positions',
  );
  return new Map(rows.map(({ name, ...position }) => [name, position]));
}

/**
 * Locks the position until the transaction ends, so that one process walks at a time. Returns undefined if another
 * process has it.
 */
export async function lockPosition(session: Session, name: WalkName): Promise<WalkPosition | undefined> {
  const [row] = await session.rows<WalkPosition>(
    `SELECT after_id AS afterId, CAST(after_at AS CHAR) AS afterAt FROM counting_positions
     WHERE name = ? FOR UPDATE SKIP LOCKED`,
    [name],
  );
  return row;
}

const FIRST_TIME = '1970-01-02 00:00:00.000';

/** Stores the first position of each walk, unless it exists. */
export async function createPositionStore(session: Session, names: readonly WalkName[]): Promise<void> {
  await session.run(
    `INSERT INTO counting_positions (name, after_at) VALUES ? ON DUPLICATE KEY UPDATE name = VALUES(name)`,
    [names.map((name) => [name, FIRST_TIME])],
  );
}

/** Moves the position, in the transaction that has locked it. */
export async function movePosition(
  session: Session,
  name: WalkName,
  { afterId, afterAt }: WalkPosition,
): Promise<void> {
  await session.run('UPDATE counting_positions SET after_id = ?, after_at = ? WHERE name = ?', [
    afterId,
    afterAt,
    name,
  ]);
}
