import type { Session } from '../../../platform/mysql/session.js';
import { minuteOf, type IdRow } from '../../backfill/settled-rows-store.js';

/** An event about to be counted. */
export interface CountableEvent extends IdRow {
  storyId: number;
  /** 0: the input of a run, which no agent emitted. */
  agentId: number;
  minute: string;
  /** How long its agent worked, in ms; null: that is not known. */
  workMs: number | null;
  /** 1 if it is the error of an action that failed for good. */
  failure: number;
}

/** Returns the events after an id, without their payloads; the youngest are marked. */
export function readCountableEvents(
  session: Session,
  { afterId, limit, holdBackSeconds }: { afterId: number; limit: number; holdBackSeconds: number },
): Promise<CountableEvent[]> {
  return session.rows<CountableEvent>(
    `SELECT e.id, e.story_id AS storyId, e.agent_id AS agentId, ${minuteOf('e.created_at')} AS minute,
            e.created_at > NOW(3) - INTERVAL ? SECOND AS young, COALESCE(m.failure, 0) AS failure,
            e.work_ms AS workMs
     FROM events e FORCE INDEX (PRIMARY) LEFT JOIN event_marks m FORCE INDEX (PRIMARY) ON m.event_id = e.id
     WHERE e.id > ? ORDER BY e.id LIMIT ?`,
    [holdBackSeconds, afterId, limit],
  );
}
