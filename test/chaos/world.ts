import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createQueues } from '../../src/engine/dispatch/queues.js';
import { createSilentLogger } from '../../src/platform/logger.js';
import { findFreePort } from '../../src/operate/embedded/free-port.js';
import { buildAccount } from '../support/builders.js';
import { eventually } from '../support/eventually.js';
import { clientOf } from '../support/fabula-client.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import type { ChaosStores } from './chaos-stores.js';
import type { Load } from './load.js';
import type { LoadResponse } from './load-response.js';
import { loadStory } from './load-story.js';
import { type MysqlErrorProxy, startMysqlErrorProxy } from './mysql-error-proxy.js';
import { startOutside } from './outside.js';
import { createProcessGroup } from './process-group.js';
import type { Scenario } from './scenario.js';

const QUEUE_PREFIX = 'chaos';
const READY_LIMIT_MS = 30_000;

/** The build to run, and whether all workers are one process. */
export interface WorldBuild {
  folder: string;
  together: boolean;
}

/** The whole system as one scenario finds it. */
export type World = Awaited<ReturnType<typeof openWorld>>;

/** Starts all processes on emptied stores, and imports the story that will be under load. */
export async function openWorld(stores: ChaosStores, scenario: Scenario, build: WorldBuild) {
  await stores.empty();
  const closers: (() => unknown)[] = [];
  const { mysqlProxy, errorProxy } = await startProxies(stores, scenario);
  closers.push(
    () => mysqlProxy?.close(),
    () => errorProxy?.close(),
  );
  const outside = await startOutside();
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'fabula-chaos-data-'));
  const port = await findFreePort();
  const env = {
    DATABASE_URL: mysqlProxy?.url ?? errorProxy?.url ?? workersUrl(stores),
    REDIS_URL: stores.redisUrl,
    QUEUE_PREFIX,
    HOST: '127.0.0.1',
    PORT: String(port),
    OUTBOUND_ALLOW: '127.0.0.0/8',
    // Counted, as where the limits are the usual ones, and never reached.
    WEBHOOK_RATE_LIMIT_PER_MINUTE: '1000000000',
    WEBHOOK_TENANT_RATE_LIMIT_PER_MINUTE: '1000000000',
    // Hours of load send more mails than the default allows in a day: deliveries would wait for the next one.
    QUOTA_MAILS_PER_DAY: '1000000000',
    SMTP_URL: outside.smtp.url,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    ENCRYPTION_KEY: 'ab'.repeat(32),
  };
  const webEnv = stores.topology === 'galera' ? { DATABASE_URL: stores.databaseUrl } : {};
  const group = createProcessGroup({ ...build, preloads: scenario.preloads ?? {}, env, webEnv });
  closers.push(
    () => outside.close(),
    () => rmSync(dataDir, { recursive: true, force: true }),
    () => group.close(),
  );
  const close = async () => {
    for (const closer of closers.toReversed()) await closer();
  };
  try {
    await group.start();
    const url = `http://127.0.0.1:${port}`;
    const account = await buildAccount(stores.db, { owner: true });
    const client = clientOf({ url, account, stores });
    const story = await client.importStory(loadStory(outside.target.url));
    await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, READY_LIMIT_MS);
    const queues = createQueues({ redis: stores.redis, prefix: QUEUE_PREFIX, logger: createSilentLogger() });
    return {
      stores,
      mysqlProxy,
      errorProxy,
      outside,
      group,
      /** Environment of the processes, for a second group beside them. */
      build,
      env,
      url,
      client,
      story,
      queues,
      queuePrefix: QUEUE_PREFIX,
      webhookUrl: `${url}/webhook/${story.webhooks['Receive'] ?? ''}`,
      /** The calls under way; set once they are. */
      load: undefined as Load | undefined,
      /** Dead letters that the scenario wants. */
      expectedDeadLetters: 0,
      /** Accepted calls that may be gone: those in a window that is documented. None, unless a scenario says so. */
      mayBeGone: (_response: LoadResponse): boolean => false,
      /** Notes for readers of the report, such as a scenario that could not be tried here. */
      remark: undefined as string | undefined,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** In a cluster, workers prefer another node than the web process: what one stores, the others may not have yet. */
function workersUrl(stores: ChaosStores): string {
  if (stores.topology !== 'galera') return stores.databaseUrl;
  const [first, second, third] = stores.galera.nodes;
  return stores.galera.urlOfAll([second, first, third]);
}

async function startProxies(stores: ChaosStores, { proxies }: Scenario) {
  const wants = (kind: NonNullable<Scenario['proxies']>[number]) => proxies?.includes(kind) === true;
  const mysqlProxy: TcpProxy | undefined = wants('mysql')
    ? await startTcpProxy(stores.databaseUrl)
    : undefined;
  const errorProxy: MysqlErrorProxy | undefined = wants('mysql-errors')
    ? await startMysqlErrorProxy(stores.databaseUrl)
    : undefined;
  return { mysqlProxy, errorProxy };
}
