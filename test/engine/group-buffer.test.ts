import type { ImplodeItem } from '../../src/engine/state/deliveries/implode-store.js';
import type { Database } from '../../src/platform/mysql/database.js';
import { createGroupBuffer, type GroupBufferDeps } from '../../src/engine/implode/group-buffer.js';
import type { DoneOutcome, Outcome, ParkedOutcome } from '../../src/engine/state/outcome.js';
import { Cancellation } from '../../src/engine/execute/cancellation.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { allDeliveries } from '../support/deliveries.js';
import { eventually } from '../support/eventually.js';
import { startFabulaHere } from '../support/fabula-here.js';
import { storyOf } from '../support/stories.js';
import { useStores } from '../support/stores.js';
import { queueNamed } from '../support/queue-named.js';

const stores = useStores();
const STOP = new Cancellation();

/** A story that gathers `size` calls; jobs are done by hand. */
async function scene(size: number) {
  const fabula = await startFabulaHere(stores, { queues: [], relay: false });
  const { webhooks } = await fabula.importStory(
    storyOf(
      {
        Hook: ['Webhook', {}],
        Join: [
          'EventTransformation',
          { mode: 'implode', item_path: '=hook.body.n', guid_path: 'g', size_path: size },
        ],
      },
      ['Hook > Join'],
    ),
  );
  const fire = async (...numbers: number[]) => {
    for (const n of numbers) await fabula.fire(webhooks['Hook']!, { n });
    return (await allDeliveries(stores.db)).slice(-numbers.length).map(({ id }) => id);
  };
  const arrive = (deliveryId: number, generation = 0) =>
    fabula.workers.runDelivery({ deliveryId, generation }, STOP);
  const joined = async () =>
    (await fabula.events()).filter(({ agent }) => agent === 'Join').map(({ payload }) => payload);
  const states = async () => (await allDeliveries(stores.db)).map(({ id, state }) => [id, state]);
  const isParked = (id: number) =>
    eventually(async () => (await states()).some(([at, state]) => at === id && state === 'parked'));
  return { fabula, fire, arrive, joined, states, isParked };
}

/** The transactions of a process that store outcomes; each waits for `gate`. */
function storing(database: Pick<Database, 'groupTransaction'>) {
  const seen = { begun: 0, gate: Promise.resolve() };
  const transaction = database.groupTransaction.bind(database);
  database.groupTransaction = async (work) => {
    seen.begun += 1;
    await seen.gate;
    return transaction(work);
  };
  return seen;
}

const items = () => stores.db.read((session) => session.rows('SELECT * FROM implode_items'));

describe('a group that comes to one process', () => {
  it('becomes one event in a single transaction, in the order of its deliveries, and is never parked', async () => {
    const { fabula, fire, arrive, joined } = await scene(3);
    const [one, two, three] = await fire(1, 2, 3);
    const transactions = storing(fabula.workers.database);
    const summaries = await Promise.all([three!, one!, two!].map((id) => arrive(id)));
    expect(summaries).toEqual(summaries.map(() => expect.objectContaining({ outcome: 'parked' })));
    await fabula.settled();
    expect(await joined()).toEqual([[1, 2, 3]]);
    expect(transactions.begun).toBe(1);
  });

  it('is parked when the rest does not come, and joined when it does', async () => {
    const { fabula, fire, arrive, joined, isParked } = await scene(2);
    const [one] = await fire(1);
    await arrive(one!);
    await isParked(one!);
    expect(await items()).toHaveLength(1);
    const [two] = await fire(2);
    await arrive(two!);
    await fabula.settled();
    expect(await joined()).toEqual([[1, 2]]);
    expect(await items()).toEqual([]);
  });

  it('waits behind those that are parked already', async () => {
    const { fabula, fire, arrive, joined, states, isParked } = await scene(2);
    const [one] = await fire(1);
    await arrive(one!);
    await isParked(one!);
    const [two, three] = await fire(2, 3);
    await Promise.all([arrive(two!), arrive(three!)]);
    await eventually(async () => (await joined()).length > 0);
    expect(await joined()).toEqual([[1, 2]]);
    expect(await states()).toEqual([[three, 'parked']]);
    const [four] = await fire(4);
    await arrive(four!);
    await fabula.settled();
    expect((await joined())[1]).toEqual([3, 4]);
  });

  it('waits behind those that are being parked', async () => {
    const { fabula, fire, arrive, joined, states } = await scene(2);
    const [one, two, three] = await fire(1, 2, 3);
    const transactions = storing(fabula.workers.database);
    let letGo!: () => void;
    transactions.gate = new Promise((resolve) => (letGo = resolve));
    await arrive(one!);
    await eventually(() => Promise.resolve(transactions.begun === 1));
    const others = [arrive(two!), arrive(three!)];
    letGo();
    await Promise.all(others);
    await eventually(async () => (await joined()).length > 0);
    expect(await joined()).toEqual([[1, 2]]);
    expect(await states()).toEqual([[three, 'parked']]);
  });

  it('waits behind a group that is being joined, until what becomes of it is known', async () => {
    const { fabula, fire, arrive, joined, isParked } = await scene(2);
    const [one, two, three, four] = await fire(1, 2, 3, 4);
    const transactions = storing(fabula.workers.database);
    let letGo!: () => void;
    transactions.gate = new Promise((resolve) => (letGo = resolve));
    await Promise.all([one!, two!].map((id) => arrive(id)));
    await eventually(() => Promise.resolve(transactions.begun === 1));
    const others = Promise.all([three!, four!].map((id) => arrive(id)));
    // As a cancel does: the first group is not whole any more.
    await stores.sql('DELETE FROM deliveries WHERE id = ?', [two!]);
    letGo();
    await others;
    await eventually(async () => (await joined()).length > 0);
    await isParked(four!);
    expect(await joined()).toEqual([[1, 3]]);
  });

  it('of which one is gone when it is to be stored, goes on waiting without it', async () => {
    const { fabula, fire, arrive, joined, states, isParked } = await scene(3);
    const [one, two, three] = await fire(1, 2, 3);
    const transactions = storing(fabula.workers.database);
    let letGo!: () => void;
    transactions.gate = new Promise((resolve) => (letGo = resolve));
    await Promise.all([one!, two!, three!].map((id) => arrive(id)));
    await eventually(() => Promise.resolve(transactions.begun === 1));
    // As a cancel does.
    await stores.sql('DELETE FROM deliveries WHERE id = ?', [two!]);
    letGo();
    await isParked(three!);
    expect(await states()).toEqual([
      [one, 'parked'],
      [three, 'parked'],
    ]);
    expect(await joined()).toEqual([]);
    const [four] = await fire(4);
    await arrive(four!);
    await fabula.settled();
    expect(await joined()).toEqual([[1, 3, 4]]);
  });

  it('counts a delivery once that the relay has had begun anew', async () => {
    const { fire, arrive, isParked, states, joined } = await scene(2);
    const [one] = await fire(1);
    await arrive(one!);
    await stores.sql('UPDATE deliveries SET generation = 1 WHERE id = ?', [one!]);
    await arrive(one!, 1);
    await isParked(one!);
    expect(await states()).toEqual([[one, 'parked']]);
    expect(await joined()).toEqual([]);
  });
});

describe('what a process has at hand', () => {
  it('is done again by another when this one hangs, and takes effect once', async () => {
    const { fabula, fire, arrive, joined } = await scene(2);
    const [one, two] = await fire(1, 2);
    const transactions = storing(fabula.workers.database);
    let letGo!: () => void;
    transactions.gate = new Promise((resolve) => (letGo = resolve));
    // Together: one alone would be parked on a busy machine, and the other would wait behind it, for the gate.
    await Promise.all([one!, two!].map((id) => arrive(id)));
    await eventually(() => Promise.resolve(transactions.begun === 1));
    const { queuePrefix: QUEUE_PREFIX } = fabula.config;
    const other = await startFabulaHere(stores, { queues: [], relay: false, env: { QUEUE_PREFIX } });
    // Their jobs are done, so they are gone.
    await queueNamed(fabula.workers.queues, 'event-transformation').drain();
    await stores.sql('UPDATE deliveries SET due_at = NOW(3) - INTERVAL 1 SECOND');
    expect(await other.workers.loops.relay.tick()).toBe(2);
    for (const { id, generation } of await allDeliveries(stores.db)) {
      expect(generation).toBe(1);
      await other.workers.runDelivery({ deliveryId: id, generation }, STOP);
    }
    await other.settled();
    letGo();
    await fabula.close();
    expect(await joined()).toEqual([[1, 2]]);
    expect(await allDeliveries(stores.db)).toEqual([]);
    expect(await items()).toEqual([]);
  });

  it('is parked before it ends', async () => {
    const { fabula, fire, arrive } = await scene(2);
    const [one] = await fire(1);
    await arrive(one!);
    await fabula.close();
    expect(await allDeliveries(stores.db)).toEqual([expect.objectContaining({ id: one, state: 'parked' })]);
    expect(await items()).toHaveLength(1);
  });

  it.each([
    ['is due late', 'due_at = NOW(3) + INTERVAL 40 SECOND'],
    ['is so old that it would be put off by as much', 'created_at = NOW(3) - INTERVAL 40 SECOND'],
  ])('is nothing that the relay may look for late only, as it %s', async (_why, change) => {
    const { fire, arrive, states } = await scene(2);
    const [one] = await fire(1);
    await stores.sql(`UPDATE deliveries SET ${change}`);
    await arrive(one!);
    expect(await states()).toEqual([[one, 'parked']]);
  });
});

/** Groups at hand with a writer that only notes, on a server that takes packets of so many bytes. */
function bare({ maxAllowedPacket = 64 * 1024 * 1024 } = {}) {
  const noted: Outcome[] = [];
  const database = {
    facts: () => Promise.resolve({ maxAllowedPacket }),
    read: (work: (session: unknown) => unknown) => Promise.resolve(work({ rows: () => Promise.resolve([]) })),
  };
  const deps = {
    database,
    outcomes: {
      submit: (outcome: Outcome) => {
        noted.push(outcome);
        return Promise.resolve({ applied: true, eventIds: [] });
      },
    },
    graphs: { find: () => Promise.resolve(undefined), findCurrent: () => Promise.resolve(undefined) },
    logger: createSilentLogger(),
  };
  return { noted, groups: createGroupBuffer(deps as unknown as GroupBufferDeps) };
}

function arrival(id: number, item: Partial<ImplodeItem> = {}): ParkedOutcome {
  return {
    kind: 'parked',
    delivery: { id, dueSoon: true } as DoneOutcome['delivery'],
    item: { groupKey: 'g', size: 100_000, position: undefined, item: '1', timeoutSeconds: 60, ...item },
    logs: [],
  };
}

describe('whoever', () => {
  it('comes when ten thousand are at hand is parked at once', async () => {
    const { groups, noted } = bare();
    for (let id = 1; id <= 10_000; id += 1) await groups.submit(arrival(id));
    expect(noted).toEqual([]);
    await groups.submit(arrival(10_001));
    expect(noted.map(({ delivery }) => delivery.id)).toEqual([10_001]);
    await groups.drain();
    expect(noted).toHaveLength(10_001);
    await groups.submit(arrival(10_002));
    expect(noted).toHaveLength(10_002);
  });

  it('brings more than all may keep in memory together is parked at once', async () => {
    const { groups, noted } = bare();
    const half = `"${'x'.repeat(9 * 1024 * 1024)}"`;
    await groups.submit(arrival(1, { item: half }));
    expect(noted).toEqual([]);
    await groups.submit(arrival(2, { item: half }));
    expect(noted.map(({ delivery }) => delivery.id)).toEqual([2]);
    await groups.drain();
  });

  it('has something to log is parked with it', async () => {
    const { groups, noted } = bare();
    await groups.submit({ ...arrival(1), logs: [{ level: 'warn', message: 'look' }] });
    expect(noted).toHaveLength(1);
  });

  it('is part of a group that fits into no packet is parked', async () => {
    const { groups, noted } = bare({ maxAllowedPacket: 100 * 1024 });
    const item = `"${'x'.repeat(30 * 1024)}"`;
    for (const id of [1, 2]) await groups.submit(arrival(id, { size: 2, item }));
    await groups.drain();
    expect(noted.map(({ kind }) => kind)).toEqual(['parked', 'parked']);
  });

  it('comes as one of a group whose action was deleted is parked: who sees to parked groups says so', async () => {
    const { groups, noted } = bare();
    for (const id of [1, 2]) await groups.submit(arrival(id, { size: 2 }));
    await groups.drain();
    expect(noted.map(({ kind }) => kind)).toEqual(['parked', 'parked']);
  });
});
