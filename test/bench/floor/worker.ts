import { Worker } from 'bullmq';
import type { RowDataPacket } from 'mysql2';
import { AWAITED, createTeller } from './awaited.js';
import { batched } from './batched.js';
import { connectDatabase, connectRedis, createDispatch, type FloorJob } from './connect.js';
import { COLUMNS, deliveryOf, type Hop, STORY_ID, TRANSFORMATION, TRIGGER } from './story.js';

/*
 * The worker process of the floor: two hops. Each loads its delivery, deletes it, stores an event and, but for the
 * last hop, the next delivery, in a transaction that all jobs which finish share, and adds the next jobs.
 */
const CONCURRENCY = 100;

interface Delivery extends RowDataPacket {
  id: number;
  guid: string;
  eventId: number;
}
interface Outcome {
  delivery: Delivery;
  hop: Hop;
}

const reader = connectDatabase();
const writer = connectDatabase();
const tell = AWAITED ? createTeller() : undefined;
const dispatch = createDispatch(TRIGGER.queue, connectRedis());

const load = batched<number, Delivery | undefined>(async (ids) => {
  const rows = await reader.query<Delivery[]>(
    'SELECT id, story_run_guid AS guid, event_id AS eventId FROM deliveries WHERE id IN (?)',
    [ids],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id));
});

const DELETE_TOKENS = `DELETE d FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
  STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id`;

const finish = batched<Outcome, void>(async (outcomes) => {
  const ids = outcomes.map(({ delivery }) => delivery.id).toSorted((a, b) => a - b);
  const jobs = await writer.transaction(async () => {
    const { affectedRows } = await writer.query(DELETE_TOKENS, [JSON.stringify(ids)]);
    if (affectedRows !== ids.length) throw new Error('Somebody else has worked on the floor');
    const events = outcomes.map(({ delivery, hop }) => [
      delivery.guid,
      STORY_ID,
      hop.agentId,
      hop.payload,
      hop.lineage,
    ]);
    const eventIds = await writer.insert('events', COLUMNS.events, events);
    const next = outcomes.flatMap(({ delivery, hop }, index) =>
      hop === TRANSFORMATION ? [deliveryOf(TRIGGER, delivery.guid, eventIds[index] ?? 0)] : [],
    );
    return writer.insert('deliveries', COLUMNS.deliveries, next);
  });
  dispatch(jobs);
  for (const { delivery, hop } of outcomes) if (hop === TRIGGER) tell?.(delivery.guid);
  return [];
});

for (const hop of [TRANSFORMATION, TRIGGER]) {
  const work = async ({ data }: { data: FloorJob }): Promise<void> => {
    const delivery = await load(data.deliveryId);
    if (delivery !== undefined) await finish({ delivery, hop });
  };
  new Worker<FloorJob>(hop.queue, work, { connection: connectRedis(), concurrency: CONCURRENCY }).on(
    'error',
    (error) => console.error(error),
  );
}
console.log('floor is ready');
