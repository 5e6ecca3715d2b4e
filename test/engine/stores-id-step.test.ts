import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { createRunWriter, newRunGuid } from '../../src/engine/accept/start-runs.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import type { JobRef } from '../../src/engine/state/delivery-job.js';
import type { AgentNode, StoryGraph } from '../../src/stories/graph/story-graph.js';
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

/** As on a Galera node that sees another cluster, or after a failover to a server with another setting. */
async function stepOfLiveConnections(step: number): Promise<void> {
  const set = `SET SESSION auto_increment_increment = ${step}`;
  await Promise.all(
    Array.from({ length: 4 }, () => database.groupTransaction((session) => session.run(set))),
  );
  await Promise.all(Array.from({ length: 2 }, () => database.transaction((session) => session.run(set))));
}

describe('store fault a, a step of ids that changes', () => {
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

  test('between the statements of one transaction is noticed, said, and stores nothing wrong', async () => {
    // Each run that goes in changes the step for the statements after it.
    await stores.db.knex.raw(
      `CREATE TRIGGER restless BEFORE INSERT ON story_runs FOR EACH ROW
       SET SESSION auto_increment_increment = 1 + (@@auto_increment_increment + 1) MOD 7`,
    );
    try {
      const said = await accept();
      const events = await storedEvents();
      expect(new Map(events.map(({ id, guid }) => [id, guid]))).toEqual(said);
      expect(events.filter(({ guid, payload }) => payload !== JSON.stringify({ guid }))).toEqual([]);
      expect(await strays()).toEqual([]);
      expect(recording.lines()).toContainEqual(expect.objectContaining({ level: 'error' }));
    } finally {
      await stores.db.knex.raw('DROP TRIGGER restless');
    }
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
