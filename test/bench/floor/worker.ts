import { AWAITED, createTeller } from './awaited.js';
import { batched } from './batched.js';
import { connectDatabase, connectRedis, createDispatch } from './connect.js';
import { COLUMNS, deliveryOf, type Hop, STORY_ID, TRANSFORMATION, TRIGGER } from './story.js';
import { createLoad, deleteTokens, type Delivery, startHop } from './tokens.js';

/*
 * The worker process of the floor: two hops. Each loads its delivery, deletes it, stores an event and, but for the
 * last hop, the next delivery, in a transaction that all jobs which finish share, and adds the next jobs.
 */
interface Outcome {
  delivery: Delivery;
  hop: Hop;
}

const writer = connectDatabase();
const load = createLoad(connectDatabase());
const tell = AWAITED ? createTeller() : undefined;
const dispatch = createDispatch(TRIGGER.queue, connectRedis());

const finish = batched<Outcome, void>(async (outcomes) => {
  const ids = outcomes.map(({ delivery }) => delivery.id);
  const jobs = await writer.transaction(async () => {
    await deleteTokens(writer, ids);
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
  startHop(hop.queue, async (deliveryId) => {
    const delivery = await load(deliveryId);
    if (delivery !== undefined) await finish({ delivery, hop });
  });
}
console.log('floor is ready');
