import type { Session } from '../../platform/mysql/session.js';
import { START_QUEUE } from '../../agents/face.js';
import { WAIT_REASON_SQL } from '../../engine/face.js';
import type { DeliveryView, OpenDeliveryView } from './run.js';

/** The open deliveries of a run, or its dead letters. */
export interface Undone<Delivery extends DeliveryView = DeliveryView> {
  count: number;
  /** The oldest ones, up to the limit. */
  deliveries: Delivery[];
}

/** Returns the number of the run's open deliveries or dead letters, and the oldest of them; `failed`: the dead letters. */
export async function findUndone(
  session: Session,
  { guid, failed, limit }: { guid: string; failed: boolean; limit: number },
): Promise<Undone<OpenDeliveryView>> {
  const where = `d.story_run_guid = ? AND d.state ${failed ? '=' : '<>'} 'failed'`;
  const [row] = await session.rows<{ count: number }>(
    `SELECT COUNT(*) AS count FROM deliveries d FORCE INDEX (deliveries_run) WHERE ${where}`,
    [guid],
  );
  const deliveries = await session.rows<OpenDeliveryView>(
    `SELECT d.id, d.agent_id AS agentId, a.name AS agentName,
            IF(d.queue = ?, NULL, d.event_id) AS eventId, d.queue, d.state, d.generation, d.attempts, d.error,
            d.cause, ${WAIT_REASON_SQL} AS reason,
            d.due_at AS dueAt, d.failed_at AS failedAt, d.created_at AS createdAt
     FROM deliveries d FORCE INDEX (deliveries_run) LEFT JOIN agents a ON a.id = d.agent_id
     WHERE ${where} ORDER BY d.id LIMIT ?`,
    [START_QUEUE, guid, limit],
  );
  return { count: row?.count ?? 0, deliveries };
}
