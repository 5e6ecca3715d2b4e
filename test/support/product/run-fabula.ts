import type { AddressInfo } from 'node:net';
import type { Inner } from './inner.js';
import { innerOf } from './inner-of.js';
import {
  type Config,
  createApp,
  createQueueWorkers,
  createServer,
  createWebServices,
  createWorkerServices,
  waitUntilRedisReady,
  type HttpClient,
  type Logger,
  QUEUES,
  type QueueName,
  readConfig,
  ROUTES,
  type WebServices,
  type WorkerServices,
} from './sources.js';

/** The parts of Fabula to run, and their settings. */
export interface RunOptions {
  env: NodeJS.ProcessEnv;
  logger: Logger;
  /** Queues to work on; all unless given. */
  queues?: readonly QueueName[] | undefined;
  /** Whether the relay, canary retries and shadows run; they do unless false. */
  relay?: boolean | undefined;
  /** Instead of the network. */
  http?: HttpClient | undefined;
}

/** A web application and workers in this process. */
export interface RunningFabula {
  config: Config;
  /** `http://127.0.0.1:<port>`. */
  url: string;
  /** The board's address; empty without `ADMIN_PORT`. */
  adminUrl: string;
  web: WebServices;
  workers: WorkerServices;
  inner: Inner;
  /** Makes it forget these stories, which were deleted behind its back. */
  forget(storyIds: readonly number[]): void;
  close(): Promise<void>;
}

/** Actions that take longer when a test ends are handed back. */
const STOP_LIMIT_MS = 15_000;
const REDIS_WAIT_MS = 10_000;

/** Starts Fabula in this process. @throws for an environment that the configuration refuses */
export async function runFabula(options: RunOptions): Promise<RunningFabula> {
  const config = readConfig(options.env);
  const web = await startWeb(config, options.logger);
  const workers = startWorkers(config, options);
  // As processes do: jobs that are added before that are left to the relay, which looks for them half a minute later.
  await Promise.all(
    [web.services.core.redis, workers.services.redis].map((redis) =>
      waitUntilRedisReady(redis, REDIS_WAIT_MS),
    ),
  );
  return {
    config,
    url: web.url,
    adminUrl: web.adminUrl,
    web: web.services,
    workers: workers.services,
    inner: innerOf(workers.services),
    forget(storyIds) {
      for (const { graphs } of [web.services.core, workers.services]) {
        for (const id of storyIds) graphs.invalidate(id);
      }
    },
    async close() {
      await workers.close();
      await web.close();
    },
  };
}

async function startWeb(config: Config, logger: Logger) {
  const services = createWebServices(config, logger, { isShuttingDown: () => false });
  const server = await listen(createApp({ ...services.app, routes: ROUTES }));
  const board = services.admin && (await listen(services.admin));
  return {
    services,
    url: server.url,
    adminUrl: board?.url ?? '',
    async close() {
      await board?.close();
      await server.close();
      await services.close();
    },
  };
}

async function listen(app: Parameters<typeof createServer>[0]) {
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function startWorkers(config: Config, options: RunOptions) {
  const services = createWorkerServices(config, options.logger, options.http);
  const stopping = new AbortController();
  const workers = createQueueWorkers(options.queues ?? QUEUES, services);
  const { relay, canaryRunner, shadowRunner } = services.loops;
  const running = options.relay === false ? [] : [relay, canaryRunner, shadowRunner];
  const loops = running.map((loop) => loop.run(stopping.signal));
  return {
    services,
    async close() {
      stopping.abort();
      await Promise.all([...loops, workers.close(STOP_LIMIT_MS)]);
      await services.close();
    },
  };
}
