import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createApp } from '../../src/app/app.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { createServer } from '../../src/platform/http/server/create-server.js';
import { ROUTES } from '../../src/app/routes.js';
import type { HttpClient } from '../../src/platform/outbound/http-exchange.js';
import { QUEUES, type QueueName } from '../../src/engine/dispatch/jobs.js';
import { waitUntilRedisReady } from '../../src/platform/redis/redis.js';
import { createWorkerServices, type WorkerServices } from '../../src/app/services/worker-services.js';
import { createWebServices, type WebServices } from '../../src/app/services/web-services.js';
import { createQueueWorkers } from '../../src/app/worker/queue-workers.js';
import { serve } from './app.js';
import { type Account, buildAccount } from './builders.js';
import { clientOf } from './fabula-client.js';
import { fabulaEnvironment } from './fabula-environment.js';
import type { TestStores } from './stores.js';

/** The whole of Fabula in this process: the web application, and workers unless told otherwise. */
export type TestFabula = Awaited<ReturnType<typeof startFabula>>;

export interface FabulaOptions {
  env?: NodeJS.ProcessEnv;
  /** Whose jobs are worked on; all unless given. */
  queues?: readonly QueueName[];
  /** Whether the relay runs; it does unless false. */
  relay?: boolean;
  /** Instead of the network. */
  http?: HttpClient;
}

/** Actions that take longer when a test ends are handed back. */
const STOP_LIMIT_MS = 15_000;
const REDIS_WAIT_MS = 10_000;
/** Each start has its own corner of Redis. */
let started = 0;

/** Starts it on the test file's stores; it stops with them, or by `close`. */
export async function startFabula(stores: TestStores, options: FabulaOptions = {}) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'fabula-'));
  started += 1;
  const env = { DATA_DIR: dataDir, QUEUE_PREFIX: `${stores.queuePrefix}-${started}`, ...options.env };
  const config = readConfig(fabulaEnvironment(stores, env));
  const account = await buildAccount(stores.db, { owner: true });
  const web = await startWeb(config, stores);
  const workers = startWorkers(config, stores, options);
  // As processes do: jobs that are added before that are left to the relay, which looks for them half a minute later.
  await Promise.all(
    [web.services.core.redis, workers.services.redis].map((redis) =>
      waitUntilRedisReady(redis, REDIS_WAIT_MS),
    ),
  );

  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      await workers.close();
      await web.close();
      rmSync(dataDir, { recursive: true, force: true });
    })();
    return closing;
  };
  stores.onClose(close);

  return {
    config,
    account,
    url: web.url,
    /** Where the board is. */
    adminUrl: web.adminUrl,
    web: web.services,
    workers: workers.services,
    close,
    ...clientOf({ url: web.url, account, stores }),
    /** The same for another account, such as one of another tenant. */
    as: (other: Account) => clientOf({ url: web.url, account: other, stores }),
  };
}

async function startWeb(config: Config, stores: TestStores) {
  const services: WebServices = createWebServices(config, stores.logger, { isShuttingDown: () => false });
  const server = createServer(createApp({ ...services.app, routes: ROUTES }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const board = services.admin === undefined ? undefined : await serve(services.admin);
  return {
    services,
    adminUrl: board?.url ?? '',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await board?.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await services.close();
    },
  };
}

function startWorkers(config: Config, stores: TestStores, options: FabulaOptions) {
  const services: WorkerServices = createWorkerServices(config, stores.logger, options.http);
  const stopping = new AbortController();
  const workers = createQueueWorkers(options.queues ?? QUEUES, services);
  const relay = options.relay === false ? Promise.resolve() : services.loops.relay.run(stopping.signal);
  return {
    services,
    async close() {
      stopping.abort();
      await Promise.all([relay, workers.close(STOP_LIMIT_MS)]);
      await services.close();
    },
  };
}
