import type { Session } from '../../../platform/mysql/session.js';
import type { DeliveryState } from '../../../engine/face.js';

/** A delivery that is not done, as the board shows it. */
export interface OpenDelivery {
  id: number;
  generation: number;
  queue: string;
  state: DeliveryState;
  attempts: number;
  error: string | null;
  dueAt: Date;
  createdAt: Date;
  storyRunGuid: string;
  /** Null if it is deleted. */
  story: string | null;
  action: string | null;
}

/** Returns the deliveries with these ids that are not done, in the order of the ids. */
export async function findOpenDeliveries(session: Session, ids: number[]): Promise<OpenDelivery[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<OpenDelivery>(
    `SELECT d.id, d.generation, d.queue, d.state, d.attempts, d.error, d.due_at AS dueAt, d.created_at AS createdAt,
            d.story_run_guid AS storyRunGuid, s.name AS story, a.name AS action
     FROM deliveries d LEFT JOIN stories s ON s.id = d.story_id LEFT JOIN agents a ON a.id = d.agent_id
     WHERE d.id IN (?)`,
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
