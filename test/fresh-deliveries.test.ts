import { createFreshDeliveries } from '../src/engine/fresh-deliveries.js';
import {
  type DeliveryRow,
  findDeliveries,
  insertDeliveries,
  insertedRow,
} from '../src/events/delivery-store.js';
import { allDeliveries, bareWriter, done, RECEIVER, storeDeliveries } from './support/deliveries.js';
import { useStores } from './support/stores.js';

const stores = useStores();

const NEW = {
  storyRunGuid: '0190aaaa-0000-7000-8000-000000000001',
  storyId: 3,
  agentId: 4,
  eventId: 5,
  queue: 'email' as const,
  awaited: true,
  called: true,
  depth: 6,
};
const MADE_AT = new Date('2026-11-22T10:20:30.456Z');

function rowWith(id: number): DeliveryRow {
  return insertedRow(NEW, { id, createdAt: MADE_AT });
}

test('a row is given once, while it is fresh', () => {
  let now = 1_000;
  const fresh = createFreshDeliveries(() => now);
  const rows = [1, 2, 3].map(rowWith);
  fresh.add(rows);
  now += 249;
  expect([fresh.take(1), fresh.take(1), fresh.take(9)]).toEqual([rows[0], undefined, undefined]);
  now += 1;
  expect(fresh.take(2)).toBeUndefined();
});

test('of very many the last are kept', () => {
  const fresh = createFreshDeliveries(() => 0);
  fresh.add(Array.from({ length: 10_001 }, (_, index) => rowWith(index + 1)));
  expect([fresh.take(1)?.id, fresh.take(2)?.id, fresh.take(10_001)?.id]).toEqual([undefined, 2, 10_001]);
});

test('a row that was just inserted is what a look-up finds, to the key', async () => {
  const found = await stores.db.transaction(async (session) => {
    const [id] = await insertDeliveries(session, [NEW], { idStep: 1, createdAt: MADE_AT });
    return { id: id!, rows: await findDeliveries(session, [id!]) };
  });
  expect(found.rows).toEqual([rowWith(found.id)]);
});

test.each([
  ['what was stored is at hand, as a look-up finds it', MADE_AT],
  ['nothing is, where the time of the database is not known', undefined],
])('after COMMIT %s', async (_what, knownTime) => {
  const fresh = createFreshDeliveries();
  const writer = bareWriter({ database: stores.db, fresh, clock: { knownTime: () => knownTime } });
  const [delivery] = await storeDeliveries(stores.db, 1);
  await writer.submit(done(delivery!));
  const [next, ...more] = await allDeliveries(stores.db);
  const [row] = await stores.db.read((session) => findDeliveries(session, [next!.id]));
  expect([more, next!.agentId]).toEqual([[], RECEIVER]);
  expect(fresh.take(next!.id)).toEqual(knownTime === undefined ? undefined : row);
});
