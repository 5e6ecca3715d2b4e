import { Worker } from 'bullmq';
import type { RowDataPacket } from 'mysql2';
import { batched } from './batched.js';
import { type connectDatabase, connectRedis, type FloorJob } from './connect.js';

type Database = ReturnType<typeof connectDatabase>;

export interface Delivery extends RowDataPacket {
  id: number;
  guid: string;
  eventId: number;
}

const CONCURRENCY = 100;
const DELETE_TOKENS = `DELETE d FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
  STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id`;

/** Gives what finds the delivery of a job; look-ups that come together share a statement. */
export function createLoad(reader: Database): (id: number) => Promise<Delivery | undefined> {
  return batched(async (ids) => {
    const rows = await reader.query<Delivery[]>(
      'SELECT id, story_run_guid AS guid, event_id AS eventId FROM deliveries WHERE id IN (?)',
      [ids],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return ids.map((id) => byId.get(id));
  });
}

/** In the caller's transaction. @throws Error when one of them is gone. */
export async function deleteTokens(writer: Database, deliveryIds: number[]): Promise<void> {
  const ids = deliveryIds.toSorted((a, b) => a - b);
  const { affectedRows } = await writer.query(DELETE_TOKENS, [JSON.stringify(ids)]);
  if (affectedRows !== ids.length) throw new Error('Somebody else has worked on the floor');
}

/** Works on the jobs of one queue. */
export function startHop(queue: string, work: (deliveryId: number) => Promise<void>): void {
  const options = { connection: connectRedis(), concurrency: CONCURRENCY };
  new Worker<FloorJob>(queue, ({ data }) => work(data.deliveryId), options).on('error', (error) =>
    console.error(error),
  );
}
