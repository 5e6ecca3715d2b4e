import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { createRunWriter } from '../../src/engine/accept/run-writer.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { PayloadTooLarge, Unavailable } from '../../src/platform/errors.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import type { JobRef } from '../../src/engine/state/deliveries/delivery-job.js';
import type { AgentNode, StoryGraph } from '../../src/stories/graph/story-graph.js';
import { allDeliveries } from '../support/deliveries.js';
import { useStores } from '../support/stores.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';

const stores = useStores();

let proxy: TcpProxy;
let database: Database;

beforeEach(async () => {
  proxy = await startTcpProxy(stores.databaseUrl);
  database = createDatabase({ url: proxy.url, poolSize: 4, logger: createSilentLogger() });
});
afterEach(async () => {
  await database.close();
  await proxy.close();
});

function node(id: number, overrides: Partial<AgentNode> = {}): AgentNode {
  return {
    id,
    guid: String(id).repeat(16),
    type: 'Agents::TriggerAgent',
    name: `Agent ${id}`,
    slug: `agent_${id}`,
    disabled: false,
    options: {},
    receivers: [],
    ...overrides,
  };
}

/** A webhook that two agents hear, beside a disabled one and one at the end of a secondary link. */
const WEBHOOK = node(10, {
  type: 'Agents::WebhookAgent',
  receivers: [11, 12, 13, 14].map((agentId) => ({
    agentId,
    kind: agentId === 14 ? ('secondary' as const) : ('normal' as const),
  })),
});
const STORY = {
  id: 1,
  tenantId: 1,
  teamId: 1,
  agents: new Map(
    [WEBHOOK, node(11), node(12, { type: 'Agents::EmailAgent' }), node(13, { disabled: true }), node(14)].map(
      (agent) => [agent.id, agent],
    ),
  ),
  responseExitGuids: new Set<string>(),
} as unknown as StoryGraph;

function run(overrides: Partial<RunStart> = {}): RunStart {
  return {
    story: STORY,
    agent: WEBHOOK,
    payload: { n: 1 },
    source: 'webhook',
    guid: newRunGuid(),
    ...overrides,
  };
}

function recordingStarter() {
  const jobs: JobRef[] = [];
  const progress: string[] = [];
  const writer = createRunWriter({
    database,
    dispatcher: { dispatch: (added) => void jobs.push(...added) },
    maxWaitMs: 2_000,
    onAwaitedProgress: (guids) => void progress.push(...guids),
  });
  return { writer, jobs, progress };
}

async function counts(): Promise<{ runs: number; events: number; deliveries: number }> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ runs: number; events: number; deliveries: number }>(
      `SELECT (SELECT COUNT(*) FROM story_runs) AS runs, (SELECT COUNT(*) FROM events) AS events,
              (SELECT COUNT(*) FROM deliveries) AS deliveries`,
    ),
  );
  return row!;
}

test('a run starts with its event and a delivery to each receiver, but to disabled and secondary ones', async () => {
  const { writer, jobs } = recordingStarter();
  const { eventId } = await writer.start(run());
  expect(await counts()).toEqual({ runs: 1, events: 1, deliveries: 2 });
  expect((await allDeliveries(stores.db)).map(({ agentId }) => agentId)).toEqual([11, 12]);
  expect(jobs.map(({ queue, generation }) => `${queue} ${generation}`)).toEqual(['trigger 0', 'email 0']);
  const [event] = await stores.db.read((session) =>
    session.rows<{ id: number; payload: string; lineage: string }>('SELECT id, payload, lineage FROM events'),
  );
  expect(event).toEqual({ id: eventId, payload: '{"n":1}', lineage: '{"agent_10":0}' });
});

test('the same guid twice is one run, in one batch and after it', async () => {
  const { writer } = recordingStarter();
  const twice = run();
  const [first, second] = await Promise.all([writer.start(twice), writer.start(twice)]);
  const third = await writer.start(twice);
  expect(first.eventId).toEqual(expect.any(Number));
  expect([second.eventId, third.eventId]).toEqual([first.eventId, first.eventId]);
  expect(await counts()).toEqual({ runs: 1, events: 1, deliveries: 2 });
});

test('a batch in which some guids are committed already stores the others', async () => {
  const { writer } = recordingStarter();
  const runs = Array.from({ length: 20 }, () => run());
  await Promise.all([runs[3]!, runs[15]!].map((each) => writer.start(each)));
  const ids = await Promise.all(runs.map((each) => writer.start(each)));
  expect(new Set(ids.map(({ eventId }) => eventId)).size).toBe(20);
  expect(await counts()).toEqual({ runs: 20, events: 20, deliveries: 40 });
});

test('a run whose event retention has taken is not started again', async () => {
  const { writer } = recordingStarter();
  const old = run();
  await writer.start(old);
  await stores.sql('DELETE FROM events');
  await writer.start(old);
  expect(await counts()).toEqual({ runs: 1, events: 0, deliveries: 2 });
});

test('a lost answer to COMMIT starts no run twice, gives the event that is there, and adds its jobs at once', async () => {
  const { writer, jobs } = recordingStarter();
  const runs = Array.from({ length: 10 }, () => run());
  await database.facts();
  proxy.swallowCommits(1);
  const started = await Promise.all(runs.map((each) => writer.start(each)));
  expect(proxy.swallowed()).toBe(1);
  expect(await counts()).toEqual({ runs: 10, events: 10, deliveries: 20 });
  const rows = await stores.db.read((session) =>
    session.rows<{ id: number; guid: string }>('SELECT id, story_run_guid AS guid FROM events'),
  );
  const idOf = new Map(rows.map(({ id, guid }) => [guid, id]));
  expect(started.map(({ eventId }) => eventId)).toEqual(runs.map(({ guid }) => idOf.get(guid)));
  const stored = (await allDeliveries(stores.db)).map(({ id }) => id);
  expect(jobs.map(({ deliveryId }) => deliveryId).toSorted((a, b) => a - b)).toEqual(stored);
  expect(jobs.every(({ generation, storyId }) => generation === 0 && storyId === STORY.id)).toBe(true);
});

test('a database out of reach is Unavailable within seconds, also to those who come meanwhile', async () => {
  const { writer } = recordingStarter();
  await writer.start(run());
  proxy.cut();
  const began = Date.now();
  const timed = async () => {
    const from = Date.now();
    const error: unknown = await writer.start(run()).catch((reason: unknown) => reason);
    return { error, ms: Date.now() - from };
  };
  const first = timed();
  await expect(database.ping()).rejects.toThrow();
  const responses = await Promise.all([first, timed(), timed()]);
  for (const { error, ms } of [...responses, await timed()]) {
    expect(error).toBeInstanceOf(Unavailable);
    expect(ms).toBeLessThan(25_000);
  }
  expect(Date.now() - began).toBeLessThan(25_000);
  proxy.restore();
  await writer.start(run());
  expect(await counts()).toMatchObject({ runs: 2 });
});

test('a server that answers nothing is given up as well', async () => {
  const hasty = createDatabase({
    url: proxy.url,
    poolSize: 1,
    logger: createSilentLogger(),
    statementTimeoutMs: 300,
  });
  const writer = createRunWriter({
    database: hasty,
    dispatcher: { dispatch: () => undefined },
    maxWaitMs: 2_000,
    onAwaitedProgress: () => undefined,
  });
  await writer.start(run());
  proxy.freeze();
  await expect(writer.start(run())).rejects.toThrow(Unavailable);
  proxy.restore();
  await writer.start(run());
  await hasty.close();
});

test.each([
  ['of plain letters', (bytes: number) => 'x'.repeat(bytes)],
  ['of characters of three bytes', (bytes: number) => '漢'.repeat(bytes / 3)],
])(
  'an event %s that no packet can hold is refused as too large, the largest that fits is stored',
  async (_what, text) => {
    const { writer } = recordingStarter();
    const { maxAllowedPacket } = await database.facts();
    const half = Math.floor(maxAllowedPacket / 6) * 3;
    await expect(writer.start(run({ payload: text(half) }))).rejects.toThrow(PayloadTooLarge);
    await writer.start(run({ payload: text(half - 99_999) }));
    expect(await counts()).toMatchObject({ runs: 1, events: 1 });
  },
);

test('an awaited run that ends where it begins is said to have ended', async () => {
  const { writer, progress } = recordingStarter();
  const alone = { ...WEBHOOK, receivers: [] };
  const over = run({ agent: alone, awaited: true });
  await Promise.all([
    writer.start(over),
    writer.start(run({ awaited: true })),
    writer.start(run({ agent: alone })),
  ]);
  expect(progress).toEqual([over.guid]);
});
