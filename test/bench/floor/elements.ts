import { batched } from './batched.js';
import { connectDatabase, connectRedis, createDispatch } from './connect.js';
import { COLUMNS, deliveryOf, STORY_ID, TRANSFORMATION, TRIGGER } from './story.js';
import { createLoad, deleteTokens, type Delivery, startHop } from './tokens.js';

/*
 * Another worker process of the floor (measure 5): explodes each run's event into so many elements, and joins them again.
 * An element that arrives is parked: its delivery stays, and what it brings is stored beside it, so that nothing is lost
 * while the others come. How many have arrived it only remembers.
 */
const ELEMENTS = Number(process.env['ELEMENTS']);
/** Redis does nothing else while it adds these. */
const CHUNK = 100;
const ELEMENT = '{"element":{"host":"web-123.example.test"},"guid":"12345678901","size":1000}';
const ITEM = '{"host":"web-123.example.test"}';
const GROUP_KEY = 'a'.repeat(64);
const ITEM_COLUMNS = 'delivery_id, group_key, size, position, item, expires_at';
const PARK = `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
  STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id SET d.state = 'parked', d.due_at = ?`;
const DELETE_ITEMS = `DELETE i FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
  STRAIGHT_JOIN implode_items i FORCE INDEX (PRIMARY) ON i.delivery_id = v.id`;

const writer = connectDatabase();
const load = createLoad(connectDatabase());
const dispatch = createDispatch(TRIGGER.queue, connectRedis());
/** By run: the deliveries that are parked. */
const arrived = new Map<string, number[]>();

const inTurn = batched<() => Promise<void>, void>(async (transactions) => {
  for (const transaction of transactions) await transaction();
  return [];
});

const explode = ({ id, guid }: Delivery) =>
  inTurn(async () => {
    const jobs = await writer.transaction(async () => {
      await deleteTokens(writer, [id]);
      const event = [guid, STORY_ID, TRANSFORMATION.agentId, ELEMENT, TRANSFORMATION.lineage];
      const eventIds = await writer.insert(
        'events',
        COLUMNS.events,
        Array.from({ length: ELEMENTS }, () => event),
      );
      const next = eventIds.map((eventId) => deliveryOf(TRIGGER, guid, eventId));
      return writer.insert('deliveries', COLUMNS.deliveries, next);
    });
    for (let start = 0; start < jobs.length; start += CHUNK) dispatch(jobs.slice(start, start + CHUNK));
  });

const park = batched<Delivery, void>(async (deliveries) => {
  const ids = deliveries.map(({ id }) => id).toSorted((a, b) => a - b);
  const later = new Date(Date.now() + 3_600_000);
  await inTurn(() =>
    writer.transaction(async () => {
      await writer.query(PARK, [JSON.stringify(ids), later]);
      const items = ids.map((id) => [id, GROUP_KEY, ELEMENTS, id, ITEM, later]);
      await writer.insert('implode_items', ITEM_COLUMNS, items);
    }),
  );
  for (const { id, guid } of deliveries) {
    const members = arrived.get(guid) ?? [];
    members.push(id);
    arrived.set(guid, members);
    if (members.length === ELEMENTS) await join(guid, members);
  }
  return [];
});

const join = (guid: string, members: number[]) =>
  inTurn(async () => {
    arrived.delete(guid);
    await writer.transaction(async () => {
      await deleteTokens(writer, members);
      await writer.query(DELETE_ITEMS, [JSON.stringify(members.toSorted((a, b) => a - b))]);
      const payload = `[${members.map(() => ITEM).join(',')}]`;
      await writer.insert('events', COLUMNS.events, [
        [guid, STORY_ID, TRIGGER.agentId, payload, TRIGGER.lineage],
      ]);
    });
  });

startHop(TRANSFORMATION.queue, async (deliveryId) => {
  const delivery = await load(deliveryId);
  if (delivery !== undefined) await explode(delivery);
});
startHop(TRIGGER.queue, async (deliveryId) => {
  const delivery = await load(deliveryId);
  if (delivery !== undefined) await park(delivery);
});
console.log('floor is ready');
