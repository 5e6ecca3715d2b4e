import type { Session } from '../../../platform/mysql/session.js';
import type { WalkPosition } from '../../backfill/position-store.js';

/** The kinds of rows that are counted. `ends`: runs whose start is counted. */
export const COUNTED = ['events', 'runs', 'dead_letters', 'ends'] as const;
export type CountedKind = (typeof COUNTED)[number];

interface PositionRow extends WalkPosition {
  name: CountedKind;
}

/** The newest rows, null if there are none. */
interface Newest {
  eventId: number | null;
  runId: number | null;
  letterAt: string | null;
  letterId: number | null;
  openId: number | null;
}

const LETTERS = "FROM deliveries FORCE INDEX (deliveries_due) WHERE state = 'failed'";
/** Each reads the end of an index. They name no column of `p`: the server would scan then. */
const NEWEST = `(SELECT MAX(id) FROM events) AS eventId, (SELECT MAX(id) FROM story_runs) AS runId,
       (SELECT CAST(MAX(due_at) AS CHAR) ${LETTERS}) AS letterAt,
       (SELECT id ${LETTERS} ORDER BY state DESC, due_at DESC, id DESC LIMIT 1) AS letterId,
       (SELECT MAX(run_id) FROM uncounted_ends) AS openId`;

/**
 * Returns the kinds that have rows after their position; undefined if a position is missing. One statement, which reads
 * the ends of indexes.
 */
export async function findUncounted(session: Session): Promise<CountedKind[] | undefined> {
  const rows = await session.rows<PositionRow & Newest>(
    `SELECT p.name, p.after_id AS afterId, CAST(p.after_at AS CHAR) AS afterAt, ${NEWEST} FROM counting_positions p
     WHERE p.name IN (?)`,
    [[...COUNTED]],
  );
  if (COUNTED.some((name) => !rows.some((row) => row.name === name))) return undefined;
  return rows.filter(hasMore).map(({ name }) => name);
}

function hasMore({ name, afterId, afterAt, ...newest }: PositionRow & Newest): boolean {
  const { eventId, runId, letterAt, letterId, openId } = newest;
  if (name === 'events') return (eventId ?? 0) > afterId;
  if (name === 'runs') return (runId ?? 0) > afterId;
  if (name === 'ends') return openId !== null;
  return letterAt !== null && (letterAt > afterAt || (letterAt === afterAt && (letterId ?? 0) > afterId));
}
