import type { DeliveryRow } from '../../src/engine/state/deliveries/delivery-store.js';
import type { DoneOutcome } from '../../src/engine/state/outcome.js';
import { allDeliveries, bareWriter, done, outputs, storeDeliveries, undone } from '../support/deliveries.js';
import { useStores } from '../support/stores.js';

const stores = useStores();

/** The error of the agent under test, on its way down a failure link. */
const failure = (delivery: DeliveryRow): DoneOutcome => ({
  ...done(delivery, '{"error":{}}'),
  failure: 'it broke',
});

/** A writer for which every dead letter has a failure link. */
const handlingWriter = () =>
  bareWriter({ database: stores.db, handleFailure: ({ delivery }) => Promise.resolve(failure(delivery)) });

const marks = () => stores.db.read((session) => session.rows('SELECT failure, reemitted FROM event_marks'));

test('a failure with a failure link consumes the delivery and marks its event', async () => {
  const [delivery] = await storeDeliveries(stores.db, 1);
  const committed = await handlingWriter().submit(undone(delivery!, 'failed'));
  expect(committed).toEqual({
    applied: true,
    handled: true,
    error: 'it broke',
    eventIds: [expect.any(Number)],
  });
  expect(await outputs(stores.db)).toEqual(['{"error":{}}']);
  expect(await allDeliveries(stores.db)).toMatchObject([{ state: 'pending' }]);
  expect(await marks()).toEqual([{ failure: 1, reemitted: 0 }]);
});

test('a failure of an older generation changes nothing: the delivery goes on', async () => {
  const [delivery] = await storeDeliveries(stores.db, 1);
  await stores.sql('UPDATE deliveries SET generation = 1');
  const committed = await handlingWriter().submit(undone(delivery!, 'failed'));
  expect(committed).toEqual({ applied: false, eventIds: [] });
  expect(await outputs(stores.db)).toEqual([]);
  expect(await allDeliveries(stores.db)).toMatchObject([{ id: delivery!.id, generation: 1 }]);
  expect(await marks()).toEqual([]);
});

test('success wins over a failure in the same batch, and only one of two failures counts', async () => {
  const [both, twice, alone] = await storeDeliveries(stores.db, 3);
  const writer = handlingWriter();
  await Promise.all([
    writer.submit(undone(both!, 'failed')),
    writer.submit(done(both!, '{"out":"success"}')),
    writer.submit(undone(twice!, 'failed')),
    writer.submit(undone(twice!, 'failed')),
    writer.submit(done(alone!, '{"out":"alone"}')),
  ]);
  expect((await outputs(stores.db)).toSorted()).toEqual([
    '{"error":{}}',
    '{"out":"alone"}',
    '{"out":"success"}',
  ]);
  expect(await allDeliveries(stores.db)).toHaveLength(3);
});

test('a result that cannot be stored goes down the failure links; an error that cannot is a dead letter', async () => {
  const [tooLarge, broken] = await storeDeliveries(stores.db, 2);
  const { maxAllowedPacket } = await stores.db.facts();
  const huge = JSON.stringify('x'.repeat(maxAllowedPacket));
  expect(await handlingWriter().submit(done(tooLarge!, huge))).toMatchObject({
    applied: true,
    handled: true,
    error: expect.stringContaining('too large') as string,
  });
  const writer = bareWriter({
    database: stores.db,
    handleFailure: ({ delivery }) => Promise.resolve({ ...done(delivery, huge), failure: 'huge' }),
  });
  const committed = await writer.submit(undone(broken!, 'failed'));
  expect(committed).toMatchObject({ applied: true, error: expect.stringContaining('too large') as string });
  expect(committed.handled).toBeUndefined();
  expect((await allDeliveries(stores.db)).filter(({ state }) => state === 'failed')).toMatchObject([
    { id: broken!.id },
  ]);
});
