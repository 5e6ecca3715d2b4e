import type { Session } from '../../platform/mysql/session.js';

/** Returns the JSON of the request that an event came of; null: none was kept. */
export async function findEventRequest(session: Session, eventId: number): Promise<string | null> {
  const [row] = await session.rows<{ request: string | null }>('SELECT request FROM events WHERE id = ?', [
    eventId,
  ]);
  return row?.request ?? null;
}

/** A line of a log, as far as its request is concerned. */
export interface LineRequest {
  /** JSON; null: none was kept. */
  request: string | null;
  /** The response to it, in the same way. */
  response: string | null;
}

/** Returns the request of a line of an action's log; undefined: the action has no such line. */
export async function findLineRequest(
  session: Session,
  { agentId, lineId }: { agentId: number; lineId: number },
): Promise<LineRequest | undefined> {
  const [row] = await session.rows<LineRequest>(
    'SELECT request, response FROM agent_logs FORCE INDEX (PRIMARY) WHERE id = ? AND agent_id = ?',
    [lineId, agentId],
  );
  return row;
}
