import { createDatabase, type Database } from '../../src/platform/mysql/database.js';
import { isConnectionError, isLockConflict, isTransient } from '../../src/platform/mysql/db-errors.js';
import { IN_THE_WAY, SERVER_STATES } from '../../src/platform/mysql/server-errors.js';
import { createRunWriter } from '../../src/engine/accept/run-writer.js';
import { newRunGuid } from '../../src/engine/state/runs/run-guid.js';
import { createOutageSpool } from '../../src/engine/accept/outage-spool.js';
import type { RunStart } from '../../src/engine/accept/run-starter.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import type { AgentNode, StoryGraph } from '../../src/stories/graph/story-graph.js';
import { allDeliveries, bareWriter, done, outputs, storeDeliveries } from '../support/deliveries.js';
import { type RefusingProxy, startRefusingProxy } from '../support/refusing-proxy.js';
import { useStores } from '../support/stores.js';
import { NO_REPLICAS } from '../support/no-replicas.js';

const stores = useStores();
const logger = createSilentLogger();
/** Errors of clusters and their proxies at COMMIT, or instead of it. */
const SAID = [
  1047, 1053, 1158, 1180, 1213, 1290, 1317, 1792, 1836, 1927, 2006, 2013, 3100, 3101, 3572, 4031, 9001,
];

let proxy: RefusingProxy;
let database: Database;
beforeEach(async () => {
  proxy = await startRefusingProxy(stores.databaseUrl);
  database = createDatabase({ url: proxy.url, poolSize: 2, logger });
});
afterEach(async () => {
  await database.close();
  await proxy.close();
});

const WEBHOOK: AgentNode = {
  id: 10,
  guid: '10'.repeat(16),
  type: 'Agents::WebhookAgent',
  name: 'Webhook',
  slug: 'webhook',
  disabled: false,
  options: {},
  receivers: [{ agentId: 11, kind: 'normal' as const }],
};
const STORY = {
  id: 1,
  tenantId: 1,
  teamId: 1,
  agents: new Map([WEBHOOK, { ...WEBHOOK, id: 11, receivers: [] }].map((agent) => [agent.id, agent])),
  responseExitGuids: new Set<string>(),
} as unknown as StoryGraph;

/** A starter as the web process has one; what it spools is in `spooled`. */
function starter() {
  const spooled: unknown[] = [];
  const writer = createRunWriter({
    database,
    dispatcher: { dispatch: () => undefined },
    maxWaitMs: 60_000,
    onAwaitedProgress: () => undefined,
  });
  const runs = createOutageSpool({
    writer,
    queue: { add: (async (_name: string, job: unknown) => spooled.push(job)) as never },
    room: { take: async () => ({ taken: true, heldBytes: 0, limitBytes: 1 }) },
    copies: NO_REPLICAS,
    logger,
  });
  const start = () => {
    const guid = newRunGuid();
    const run: RunStart = { story: STORY, agent: WEBHOOK, guid, source: 'webhook', payload: { guid } };
    return runs.start(run);
  };
  return { start, spooled };
}
const storedRuns = async () =>
  (await stores.db.read((session) => session.rows('SELECT guid FROM story_runs'))).length;

describe('store fault b, an error that is a state of the server', () => {
  test.each(
    SAID.flatMap((errno) => [
      { errno, applied: false },
      { errno, applied: true },
    ]),
  )('has the batch stored once: %o', async ({ errno, applied }) => {
    const { start, spooled } = starter();
    proxy.refuse({ errno, applied, times: 1, of: 'commits' });
    const started = await Promise.all(Array.from({ length: 8 }, start));
    expect(proxy.refused()).toBe(1);
    expect(started.every(({ eventId }) => (eventId ?? 0) > 0)).toBe(true);
    expect(spooled).toEqual([]);
    expect(await storedRuns()).toBe(8);
    expect(await allDeliveries(stores.db)).toHaveLength(8);
  });

  test.each(SAID)('makes no dead letter of what an action came to: %i', async (errno) => {
    const deliveries = await storeDeliveries(stores.db, 4);
    const writer = bareWriter({ database });
    proxy.refuse({ errno, applied: false, times: 3, of: 'commits' });
    const committed = await Promise.all(deliveries.map((delivery) => writer.submit(done(delivery))));
    expect(committed.every(({ applied }) => applied)).toBe(true);
    expect(await outputs(stores.db)).toHaveLength(4);
    expect((await allDeliveries(stores.db)).filter(({ state }) => state === 'failed')).toEqual([]);
  });

  test.each([1047, 1180, 1290, 3100])(
    'that stays has webhooks spooled, as when the database is away: %i',
    async (errno) => {
      const { start, spooled } = starter();
      await database.facts();
      proxy.refuse({ errno, applied: false, times: Number.POSITIVE_INFINITY, of: 'all' });
      const started = await Promise.all(Array.from({ length: 3 }, start));
      expect(started.map(({ eventId }) => eventId)).toEqual([undefined, undefined, undefined]);
      expect(spooled).toHaveLength(3);
      proxy.refuse(undefined);
      expect((await start()).eventId).toBeGreaterThan(0);
    },
  );

  test.each([...SERVER_STATES])('%i waits, and is never an error of the data', (errno) => {
    const error = Object.assign(new Error('as a server says it'), { errno });
    expect([isConnectionError(error), isLockConflict(error), isTransient(error)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test.each([...IN_THE_WAY])('%i is another transaction in the way', (errno) => {
    const error = Object.assign(new Error('as a server says it'), { errno });
    expect([isConnectionError(error), isLockConflict(error), isTransient(error)]).toEqual([
      false,
      true,
      true,
    ]);
  });
});
