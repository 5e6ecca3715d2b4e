import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';

/** The kind of an event that is more than a plain output. */
export interface EventMark {
  eventId: number;
  storyId: number;
  agentId: number;
  /** The error of an action that failed for good. */
  failure: boolean;
  /** Emitted again by hand. */
  reemitted: boolean;
}

/** Marks events; in the transaction that stores them. */
export async function insertEventMarks(session: Session, marks: EventMark[]): Promise<void> {
  if (marks.length === 0) return;
  await insertRows(session, {
    table: 'event_marks',
    columns: ['event_id', 'story_id', 'agent_id', 'failure', 'reemitted'],
    rows: marks.map((mark): SqlValue[] => [
      mark.eventId,
      mark.storyId,
      mark.agentId,
      mark.failure,
      mark.reemitted,
    ]),
    sizeOf: () => 60,
  });
}

/** Returns true if the event is the error of an action that failed for good. */
export async function isFailureEvent(session: Session, eventId: number): Promise<boolean> {
  const rows = await session.rows('SELECT 1 FROM event_marks WHERE event_id = ? AND failure', [eventId]);
  return rows.length > 0;
}
