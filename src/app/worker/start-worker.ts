import { setTimeout as sleep } from 'node:timers/promises';
import { traceFields } from '../traces/trace-fields.js';
import { letYoungSpaceGrow } from '../../platform/runtime/v8-flags.js';
import { noteKey } from '../../data/face.js';
import { messageOf } from '../../platform/errors.js';
import { loadConfig } from '../../config/face.js';
import { createLogger } from '../../platform/logger.js';
import { giveSigns, type QueueName, type SignDeps } from '../../engine/face.js';
import { createWorkerServices, type WorkerServices } from '../services/worker-services.js';
import { createSlotGauges } from '../metrics/slot-gauges.js';
import { addStoreReadings } from '../metrics/store-readings.js';
import { serveMetrics } from '../metrics/serve-metrics.js';
import { debugOnSignal } from '../../platform/runtime/debug-signal.js';
import { exitOnUncaught, onShutdown } from '../../platform/runtime/shutdown.js';
import { endUnhealthy } from './end-unhealthy.js';
import { createIsolatedRunner, type IsolatedRunner } from './isolated-runner.js';
import { watchLoop } from './loop-watchdog.js';
import { watchProgress } from './progress-watch.js';
import { createQueueWorkers, type ProcessWorkers } from './queue-workers.js';
import { requireSchema } from '../../platform/mysql/schema/migrate.js';
import { noteNewerSchema } from '../../platform/mysql/schema/newer-schema.js';
import { pingRedis } from '../../platform/redis/masters.js';
import type { CoreServices } from '../services/core-services.js';

const LOOK_AGAIN_MS = 500;
/** A store that starts together with this process is not worth a log line. */
const QUIET_MS = 2_000;

/** Share of the shutdown time that running actions get to finish. */
const PATIENCE = 0.6;

/** The work of a worker process. */
export interface WorkerRole {
  /** For logs: `trigger`, `maintenance`, `all`. */
  name: string;
  /** The queues whose jobs it processes. */
  queues: readonly QueueName[];
  /** Additional work, until the signal aborts; it reports when this process becomes the leader, and when another does. */
  background?(
    services: WorkerServices,
    signal: AbortSignal,
    onLeadership: (isOn: boolean) => void,
  ): Promise<void>;
  /** Only the part of it that `WORKER_QUEUES` names. */
  isChosen?: true;
}

/** Runs a worker process until it receives a signal to stop. */
export async function startWorker(given: WorkerRole): Promise<void> {
  letYoungSpaceGrow();
  const config = loadConfig();
  const role = given.isChosen === true ? chosenPart(given, config.workerQueues) : given;
  const logger = createLogger({
    level: config.logLevel,
    format: config.logFormat,
    derived: traceFields(config),
    role: `worker:${role.name}`,
  });
  exitOnUncaught(logger);
  debugOnSignal(logger);
  watchLoop({ limitMs: config.workerStallSeconds * 1000, role: `worker:${role.name}` });
  const services = createWorkerServices(config, logger);
  const stopping = new AbortController();
  const isolated = createIsolatedRunner(services);
  let isLeader = false;
  if (role.background !== undefined) addStoreReadings(services, () => isLeader);
  const readings = serveMetrics(services.metrics, { config, role: role.name, logger });
  readings.listen();
  const onLeadership = (isOn: boolean) => void (isLeader = isOn);
  const work = begin(role, services, { isolated, signal: stopping.signal, onLeadership });

  const shutdownMs = config.shutdownSeconds * 1000;
  onShutdown({
    logger,
    deadlineMs: shutdownMs,
    steps: [
      {
        name: 'work under way',
        async stop() {
          stopping.abort();
          const { background, workers } = await work;
          await Promise.all([background, workers?.close(PATIENCE * shutdownMs)]);
        },
      },
      { name: 'isolated process', stop: () => isolated.close() },
      { name: 'metrics', stop: () => readings.close() },
      { name: 'stores', stop: () => services.close() },
    ],
  });
  await work;
  logger.info('worker is running', { queues: role.queues, concurrency: config.workerConcurrency });
}

/** Returns the part of a role that these names name: queues, and `maintenance` for the background. */
function chosenPart(role: WorkerRole, names: readonly string[]): WorkerRole {
  const queues = role.queues.filter((queue) => names.includes(queue));
  return names.includes('maintenance') ? { ...role, queues } : { name: role.name, queues };
}

interface Work {
  workers?: ProcessWorkers;
  background: Promise<unknown>;
}

/** Starts the work as soon as the stores are reachable; none if the process is told to stop before that. */
async function begin(
  role: WorkerRole,
  services: WorkerServices,
  {
    isolated,
    signal,
    onLeadership,
  }: { isolated: IsolatedRunner; signal: AbortSignal; onLeadership: (isOn: boolean) => void },
): Promise<Work> {
  await Promise.all([waitForStores(services, signal), services.traces?.ready]);
  if (signal.aborted) return { background: Promise.resolve() };
  await noteKey(services, services.logger).catch((error: unknown) =>
    services.logger.debug('the encryption key of the database is not yet known', { error: messageOf(error) }),
  );
  const workers = createQueueWorkers(role.queues, services, isolated);
  services.metrics?.onReading(createSlotGauges(services.metrics.instruments, workers.list));
  const own = role.background?.(services, signal, onLeadership) ?? Promise.resolve();
  const signs = giveSigns(signsOf(role, services, workers), signal);
  return { workers, background: Promise.all([own, signs, endOnStall(workers, services, signal)]) };
}

function signsOf(
  { name }: WorkerRole,
  { redis, config, loggers }: WorkerServices,
  { list }: ProcessWorkers,
): SignDeps {
  return {
    redis,
    prefix: config.queuePrefix,
    parts: config.queueParts,
    role: name,
    jobs: () => list.reduce((sum, worker) => sum + worker.slots().used, 0),
    logger: loggers.queues,
  };
}

/** Ends the process if it takes no jobs although some wait, so that its supervisor starts a new one (promise 7). */
function endOnStall(
  { list: workers }: ProcessWorkers,
  { backlog, config, logger }: WorkerServices,
  signal: AbortSignal,
): Promise<void> {
  const onStall = (queues: string[]) =>
    endUnhealthy(logger, 'jobs are waiting but none is taken: exiting', { queues });
  const stallMs = config.workerStallSeconds * 1000;
  return watchProgress({ workers, backlog, stallMs, onStall, logger }, signal);
}

/**
 * Resolves when both stores respond and the schema has everything that this version writes to; logs what it waits for. A
 * worker that started before its migrations would turn the work it cannot store into dead letters.
 */
async function waitForStores(services: CoreServices, signal: AbortSignal): Promise<void> {
  const { database, redis, logger } = services;
  await waitFor('the database', () => database.ping(), { logger, signal });
  await waitFor('redis', () => pingRedis(redis), { logger, signal });
  await waitFor('the schema', () => requireSchema(database.knex), { logger, signal });
  if (!signal.aborted) await noteNewerSchema(database, logger);
}

async function waitFor(
  name: string,
  ping: () => Promise<unknown>,
  { logger, signal }: { logger: CoreServices['logger']; signal: AbortSignal },
): Promise<void> {
  const speakAt = performance.now() + QUIET_MS;
  let told = false;
  while (!signal.aborted) {
    try {
      await ping();
      if (told) logger.info(`${name} is available`);
      return;
    } catch (error) {
      if (!told && performance.now() > speakAt) {
        told = true;
        logger.warn(`waiting for ${name}`, { error: messageOf(error) });
      }
    }
    await sleep(LOOK_AGAIN_MS);
  }
}
