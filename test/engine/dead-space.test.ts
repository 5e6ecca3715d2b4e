import { readDeadSpace } from '../../src/operate/doctor/facts/dead-space-store.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import {
  deleteDeliveries,
  insertDeliveries,
  type NewDelivery,
} from '../../src/engine/state/deliveries/delivery-store.js';
import { eventually } from '../support/eventually.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });

const newDelivery = (): NewDelivery => ({
  storyRunGuid: newRunGuid(),
  storyId: 1,
  agentId: 2,
  eventId: 3,
  queue: 'trigger',
  awaited: false,
  called: false,
  depth: 1,
});

it('finds the room that 40,000 deliveries leave behind, and none after OPTIMIZE TABLE', async () => {
  const ids: number[] = [];
  for (let page = 0; page < 20; page++) {
    const rows = Array.from({ length: 2_000 }, newDelivery);
    ids.push(...(await stores.db.transaction((session) => insertDeliveries(session, rows))));
  }
  for (let from = 0; from < ids.length; from += 2_000) {
    await stores.db.transaction((session) => deleteDeliveries(session, ids.slice(from, from + 2_000)));
  }
  // Servers give the figures of an earlier look until they are asked to look again.
  const deadSpace = async () => {
    await stores.db.read((session) => session.rows('ANALYZE TABLE deliveries'));
    return stores.db.read((session) => readDeadSpace(session, 1024 * 1024));
  };
  const found = await eventually(async () => {
    const tables = await deadSpace();
    return tables.length > 0 && tables;
  }, 120_000);
  expect(found).toEqual([
    { name: 'deliveries', freeBytes: expect.any(Number), usedBytes: expect.any(Number) },
  ]);
  await stores.db.read((session) => session.rows('OPTIMIZE TABLE deliveries'));
  await eventually(async () => (await deadSpace()).length === 0, 120_000);
});
