import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import type { IdAllocator } from '../../src/platform/mysql/ids/id-allocator.js';
import { insertEvents, type NewEvent } from '../../src/engine/state/events/event-store.js';
import { createRunWriter } from '../../src/engine/accept/run-writer.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import type { JobRef } from '../../src/engine/state/deliveries/delivery-job.js';
import type { AgentNode, StoryGraph } from '../../src/stories/graph/story-graph.js';
import { findDeliveries } from '../../src/engine/state/deliveries/delivery-store.js';
import { bareWriter, done, storeDeliveries } from '../support/deliveries.js';
import { recordingLogger } from '../support/recording-logger.js';
import { useStores } from '../support/stores.js';

const stores = useStores({ ownDatabase: true });
const recording = recordingLogger();
const RUNS = 60;

function node(id: number, receivers: number[] = []): AgentNode {
  return {
    id,
    guid: String(id).repeat(16),
    type: id === 10 ? 'Agents::WebhookAgent' : 'Agents::TriggerAgent',
    name: `Agent ${id}`,
    slug: `agent_${id}`,
    disabled: false,
    options: {},
    receivers: receivers.map((agentId) => ({ agentId, kind: 'normal' as const })),
  };
}
const WEBHOOK = node(10, [11, 12]);
const STORY = {
  id: 1,
  tenantId: 1,
  teamId: 1,
  agents: new Map([WEBHOOK, node(11), node(12)].map((agent) => [agent.id, agent])),
  responseExitGuids: new Set<string>(),
} as unknown as StoryGraph;

let database: Database;
beforeEach(() => {
  recording.clear();
  database = createDatabase({ url: stores.databaseUrl, poolSize: 2, logger: recording.logger });
});
afterEach(() => database.close());

/** Accepts runs together; gives the guid that each event was said to be of, by the event's id. */
async function accept(dispatched: JobRef[] = []): Promise<Map<number, string>> {
  const writer = createRunWriter({
    database,
    dispatcher: { dispatch: (jobs) => void dispatched.push(...jobs) },
    maxWaitMs: 10_000,
    onAwaitedProgress: () => undefined,
  });
  const started = Array.from({ length: RUNS }, async () => {
    const guid = newRunGuid();
    const run: RunStart = { story: STORY, agent: WEBHOOK, guid, source: 'webhook', payload: { guid } };
    return [(await writer.start(run)).eventId ?? 0, guid] as const;
  });
  return new Map(await Promise.all(started));
}

const storedEvents = () =>
  stores.db.read((session) =>
    session.rows<{ id: number; guid: string; payload: string }>(
      'SELECT id, story_run_guid AS guid, payload FROM events',
    ),
  );
/** Deliveries whose event is of another run, or of none. */
const strays = () =>
  stores.db.read((session) =>
    session.rows(`SELECT d.id FROM deliveries d LEFT JOIN events e ON e.id = d.event_id
                  WHERE e.story_run_guid IS NULL OR e.story_run_guid <> d.story_run_guid`),
  );

/** The same as on a Galera node that sees another cluster, or after a failover to a server with another setting. */
async function stepOfLiveConnections(step: number): Promise<void> {
  const set = `SET SESSION auto_increment_increment = ${step}`;
  await Promise.all(
    Array.from({ length: 4 }, () => database.groupTransaction((session) => session.run(set))),
  );
  await Promise.all(Array.from({ length: 2 }, () => database.transaction((session) => session.run(set))));
}

async function withTrigger(create: string, work: () => Promise<void>): Promise<void> {
  await stores.db.knex.raw(create);
  try {
    await work();
  } finally {
    await stores.db.knex.raw(`DROP TRIGGER ${create.split(' ')[2]}`);
  }
}

const eventsOf = (name: string, count: number): NewEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    storyRunGuid: newRunGuid(),
    storyId: 1,
    agentId: 10,
    payload: JSON.stringify(`${name}-${index}`),
    lineage: '{}',
  }));

/** Stores events in a transaction; gives the payload that each id was said to be of. */
async function storeEvents(db: Database, events: NewEvent[]): Promise<[id: number, payload: string][]> {
  const ids = await db.transaction((session) => insertEvents(session, events));
  return ids.map((id, index) => [id, events[index]!.payload]);
}

const payloads = async () => new Map((await storedEvents()).map(({ id, payload }) => [id, payload]));

describe('a step of ids that changes', () => {
  test('between batches gives no event and no delivery to another run', async () => {
    const said = await accept();
    const jobs: JobRef[] = [];
    for (const step of [3, 2, 7, 1]) {
      await stepOfLiveConnections(step);
      for (const [id, guid] of await accept(jobs)) said.set(id, guid);
    }
    const events = await storedEvents();
    expect(events).toHaveLength(5 * RUNS);
    expect(new Map(events.map(({ id, payload }) => [id, payload]))).toEqual(
      new Map([...said].map(([id, guid]) => [id, JSON.stringify({ guid })])),
    );
    expect(await strays()).toEqual([]);
    const ids = await stores.db.read((session) => session.rows<{ id: number }>('SELECT id FROM deliveries'));
    expect(ids.map(({ id }) => id)).toEqual(expect.arrayContaining(jobs.map(({ deliveryId }) => deliveryId)));
    expect(recording.lines().filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('between the statements of one transaction changes nothing', async () => {
    // Each run that goes in changes the step for the statements after it.
    await withTrigger(
      `CREATE TRIGGER restless BEFORE INSERT ON story_runs FOR EACH ROW
       SET SESSION auto_increment_increment = 1 + (@@auto_increment_increment + 1) MOD 7`,
      async () => {
        const said = await accept();
        const events = await storedEvents();
        expect(new Map(events.map(({ id, guid }) => [id, guid]))).toEqual(said);
        expect(events.filter(({ guid, payload }) => payload !== JSON.stringify({ guid }))).toEqual([]);
        expect(await strays()).toEqual([]);
        expect(recording.lines().filter(({ level }) => level === 'error')).toEqual([]);
      },
    );
  });

  test('gives no output of an action to another run, and none twice', async () => {
    const deliveries = await storeDeliveries(stores.db, RUNS);
    await accept();
    const outcomes = bareWriter({ database });
    await stepOfLiveConnections(3);
    await Promise.all(
      deliveries.map((delivery) => outcomes.submit(done(delivery, JSON.stringify(delivery.storyRunGuid), 2))),
    );
    expect(await strays()).toEqual([]);
    const outputs = (await storedEvents()).filter(({ payload }) => payload.startsWith('"'));
    expect(outputs).toHaveLength(RUNS);
    expect(outputs.filter(({ guid, payload }) => payload !== JSON.stringify(guid))).toEqual([]);
  });
});

describe('reserved ids', () => {
  test('of several processes are never the same, and those of a process that starts again are larger', async () => {
    const second = createDatabase({ url: stores.databaseUrl, poolSize: 2, logger: recording.logger });
    const said: [number, string][] = [];
    const storeMany = async (db: Database, name: string) => {
      for (let batch = 0; batch < 20; batch += 1) {
        said.push(...(await storeEvents(db, eventsOf(`${name}-${batch}`, 4 + batch * 5))));
      }
    };
    await Promise.all([storeMany(database, 'a'), storeMany(second, 'b'), storeMany(second, 'c')]);
    await second.close();
    const largest = Math.max(...said.map(([id]) => id));
    const third = createDatabase({ url: stores.databaseUrl, poolSize: 2, logger: recording.logger });
    const later = await storeEvents(third, eventsOf('later', 50));
    await third.close();
    expect(Math.min(...later.map(([id]) => id))).toBeGreaterThan(largest);
    expect(await payloads()).toEqual(new Map([...said, ...later]));
  });

  test('are larger than those of what a process has read, whichever process stored it', async () => {
    const second = createDatabase({ url: stores.databaseUrl, poolSize: 2, logger: recording.logger });
    await Promise.all([storeEvents(database, eventsOf('a', 40)), storeEvents(second, eventsOf('b', 40))]);
    for (let hop = 0; hop < 6; hop += 1) {
      const [from, to] = hop % 2 === 0 ? [database, second] : [second, database];
      const deliveries = await storeDeliveries(from, 8);
      const read = await to.read((session) =>
        findDeliveries(
          session,
          deliveries.map(({ id }) => id),
        ),
      );
      const outcomes = bareWriter({ database: to });
      const committed = await Promise.all(read.map((delivery) => outcomes.submit(done(delivery))));
      const inbound = Math.max(...read.map(({ eventId }) => eventId));
      expect(Math.min(...committed.flatMap(({ eventIds }) => eventIds))).toBeGreaterThan(inbound);
    }
    await second.close();
  });

  test('lie clear of rows that are inserted one by one at the same time', async () => {
    const said: [number, string][] = [];
    const store = async (name: string, fewest: number, range: number) => {
      for (let batch = 0; batch < 60; batch += 1) {
        said.push(...(await storeEvents(database, eventsOf(`${name}-${batch}`, fewest + (batch % range)))));
      }
    };
    await Promise.all([store('single', 1, 3), store('a', 4, 30), store('b', 4, 30)]);
    expect(await payloads()).toEqual(new Map(said));
    expect(new Set(said.map(([id]) => id)).size).toBe(said.length);
  });

  test('are above rows that were brought in with their ids', async () => {
    await storeEvents(database, eventsOf('before', 20));
    const [{ id: there }] = (await stores.db.read((session) =>
      session.rows('SELECT COALESCE(MAX(id), 0) AS id FROM events'),
    )) as [{ id: string }];
    const id = Number(there) + 1_000_000;
    await stores.sql(
      "INSERT INTO events (id, story_run_guid, story_id, agent_id, payload, lineage) VALUES (?, 'x', 1, 10, '1', '{}')",
      [id],
    );
    const other = createDatabase({ url: stores.databaseUrl, poolSize: 2, logger: recording.logger });
    const said = await storeEvents(other, eventsOf('after', 20));
    await other.close();
    expect(Math.min(...said.map(([after]) => after))).toBeGreaterThan(id);
  });

  test('that are taken or too old have the transaction repeated with others', async () => {
    const [[taken]] = (await storeEvents(database, eventsOf('there', 1))) as [[number, string]];
    for (const range of [
      { first: taken - 3, count: 8, usableUntil: '2100-01-01 00:00:00.000' },
      { first: taken + 100_000, count: 8, usableUntil: '2020-01-01 00:00:00.000' },
    ]) {
      const events = eventsOf(`again-${range.usableUntil}`, 8);
      let tries = 0;
      const ids = await database.transaction((session) => {
        tries += 1;
        const bad: IdAllocator = { ...session.ids, take: () => Promise.resolve(range) };
        return insertEvents(tries === 1 ? { ...session, ids: bad } : session, events);
      });
      expect(tries).toBe(2);
      const stored = await payloads();
      expect(ids.map((id) => stored.get(id))).toEqual(events.map(({ payload }) => payload));
    }
    expect(await storedEvents()).toHaveLength(17);
  });

  test('that nobody can reserve for a while are done without', async () => {
    await storeEvents(database, eventsOf('first', 20));
    const other = createDatabase({ url: stores.databaseUrl, poolSize: 2, logger: recording.logger });
    await stores.db.transaction(async (session) => {
      await session.rows("SELECT name FROM settings WHERE name = 'id_reservations' FOR UPDATE");
      const said = await storeEvents(other, eventsOf('held', 20));
      const stored = await payloads();
      expect(said.map(([id]) => stored.get(id))).toEqual(said.map(([, payload]) => payload));
    });
    await other.close();
    expect(recording.lines()).toContainEqual(expect.objectContaining({ level: 'warn' }));
  });

  test('that the database changes are noticed: nothing is stored, and a person hears of it', async () => {
    await withTrigger(
      'CREATE TRIGGER shifting BEFORE INSERT ON events FOR EACH ROW SET NEW.id = NEW.id + 7',
      async () => {
        await expect(storeEvents(database, eventsOf('shifted', 20))).rejects.toThrow('instead of');
      },
    );
    expect(await storedEvents()).toEqual([]);
    expect(database.mismatches()).toBe(1);
    expect(recording.lines()).toContainEqual(expect.objectContaining({ level: 'error' }));
  });
});
