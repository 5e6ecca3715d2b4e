import type { Session } from '../../../platform/mysql/session.js';
import type { WalkPosition } from '../../backfill/position-store.js';
import { minuteOf } from '../../backfill/settled-rows-store.js';

/** A dead letter about to be counted. */
export interface CountableDeadLetter {
  id: number;
  storyId: number;
  agentId: number;
  minute: string;
  /** The time of its failure, as the database writes times. */
  dueAt: string;
}

/**
 * Returns the next dead letters that are old enough, in the order of their failures. The locking read waits for
 * transactions that have marked one of them and not committed.
 * @throws the driver's lock time-out if one of them takes too long.
 */
export function readCountableDeadLetters(
  session: Session,
  { afterAt, afterId }: WalkPosition,
  { limit, holdBackSeconds }: { limit: number; holdBackSeconds: number },
): Promise<CountableDeadLetter[]> {
  return session.rows<CountableDeadLetter>(
    `SELECT d.id, d.story_id AS storyId, d.agent_id AS agentId, ${minuteOf('d.due_at')} AS minute,
            CAST(d.due_at AS CHAR) AS dueAt
     FROM deliveries d FORCE INDEX (deliveries_due)
     WHERE d.state = 'failed' AND d.due_at >= ? AND d.due_at <= NOW(3) - INTERVAL ? SECOND
       AND (d.due_at > ? OR d.id > ?)
     ORDER BY d.due_at, d.id LIMIT ? LOCK IN SHARE MODE`,
    [afterAt, holdBackSeconds, afterAt, afterId, limit],
  );
}
