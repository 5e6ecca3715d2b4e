import { messageOf } from '../../platform/errors.js';
import {
  createJobLookup,
  createStoryConcurrency,
  createTakeOver,
  createWorkerBeats,
  jobsOfPart,
  partName,
  type QueueName,
  type QueuePart,
  type WorkerBeats,
} from '../../engine/face.js';
import { createLeaderElection } from '../../platform/redis/leader-election.js';
import { createRedis, LONGEST_WAIT_MS } from '../../platform/redis/redis.js';
import { loopUntil } from '../../platform/runtime/background-loop.js';
import type { WorkerServices } from '../services/worker-services.js';
import type { IsolatedRunner } from './isolated-runner.js';
import {
  createQueueWorker,
  type QueueWorker,
  type QueueWorkerDeps,
  STALLED_SCAN_MS,
} from './queue-worker.js';

/** How long the leader waits for a job before it looks for one: the announcement of a job may be lost. */
const LEADER_WAIT_SECONDS = 5;
/** How often a process looks for parts that others fill. */
const PARTS_LOOK_MS = 15_000;

/** The workers of a process. */
export interface ProcessWorkers {
  /** One worker for each part of each queue; more come while the process runs. */
  list: readonly QueueWorker[];
  /** Closes all workers (see `QueueWorker`), and their connection. */
  close(patienceMs: number): Promise<void>;
}

/**
 * Processes the jobs of these queues until closed, in all parts that this process or another one fills. All workers share one
 * connection. Each process takes over from one that dies. One of the processes with the same queues is the leader: it
 * looks for jobs whose lock has expired, and for jobs that were not announced; the others only wait for jobs.
 */
export function createQueueWorkers(
  queues: readonly QueueName[],
  services: WorkerServices,
  isolated?: IsolatedRunner,
): ProcessWorkers {
  if (queues.length === 0) return { list: [], close: () => Promise.resolve() };
  const redis = createRedis(services.config, 'worker', services.loggers.queues);
  const stopping = new AbortController();
  const beats = beatsOf(services, () => list.some((worker) => worker.slots().used > 0));
  const workers = openWorkers(queues, { services, redis, beats, isolated });
  const { list } = workers;
  workers.open(services.queues.own);
  const scanning = scanAsLeader(workers, services, stopping.signal);
  const following = followParts(workers, services, stopping.signal);
  const leaving = new AbortController();
  const beating = beats.run(leaving.signal);
  return {
    list,
    async close(patienceMs) {
      stopping.abort();
      // In parallel: a slow action of one queue must not delay the others.
      await Promise.all(list.map((worker) => worker.close(patienceMs)));
      redis.disconnect();
      leaving.abort();
      await Promise.all([scanning, following, beating]);
    },
  };
}

/** Returns the beats of this process, by which it takes over from others, and they from it (decision 0002). */
function beatsOf(services: WorkerServices, isWorking: () => boolean): WorkerBeats {
  const { config, loggers } = services;
  const takeOver = createTakeOver({ ...services, lookup: createJobLookup(services) });
  return createWorkerBeats({
    ...services,
    prefix: config.queuePrefix,
    isWorking,
    takeOver,
    logger: loggers.queues,
  });
}

/** The workers of a process, which become more while it runs. */
interface OpenWorkers {
  queues: readonly QueueName[];
  list: readonly QueueWorker[];
  /** Opens a worker for each of these parts that has none. */
  open: (known: readonly QueuePart[]) => void;
  /** Calls `waitFor` of all workers, and of those that are opened later. */
  waitFor: (seconds: number) => void;
}

function openWorkers(queues: readonly QueueName[], deps: QueueWorkerDeps): OpenWorkers {
  const {
    config,
    queues: { own },
  } = deps.services;
  const list: QueueWorker[] = [];
  const opened = new Set<string>();
  let waitSeconds = LEADER_WAIT_SECONDS;
  const slots = new Map(queues.map((queue) => [queue, createStoryConcurrency(config.workerConcurrency)]));
  const openPart = (part: QueuePart, known: readonly QueuePart[]) => {
    const shared = slots.get(part.queue);
    const name = partName(part);
    if (shared === undefined || opened.has(name)) return;
    opened.add(name);
    const jobsAtOnce = jobsOfPart(part, { own, known }, config);
    const worker = createQueueWorker({ part, jobsAtOnce, slots: shared }, deps);
    worker.waitFor(waitSeconds);
    list.push(worker);
  };
  return {
    queues,
    list,
    open(known) {
      for (const part of known) openPart(part, known);
    },
    waitFor(seconds) {
      waitSeconds = seconds;
      for (const worker of list) worker.waitFor(seconds);
    },
  };
}

/** Opens workers of the parts that processes with another setting fill, or have filled (decision 0072). */
function followParts(
  { open }: OpenWorkers,
  { queues, loggers: { queues: logger } }: WorkerServices,
  signal: AbortSignal,
): Promise<void> {
  const failure = 'could not determine queue parts';
  const look = async () => {
    try {
      const known = await queues.known();
      if (!signal.aborted) open(known);
    } catch (error) {
      // Redis is unreachable: there are no jobs to take either.
      logger.debug(failure, { error: messageOf(error) });
    }
    return PARTS_LOOK_MS;
  };
  return loopUntil(signal, { pass: look, restAfterErrorMs: PARTS_LOOK_MS, failure, logger });
}

function scanAsLeader(
  { queues, list, waitFor }: OpenWorkers,
  { config, redis, loggers: { queues: logger } }: WorkerServices,
  signal: AbortSignal,
): Promise<void> {
  const names = queues.toSorted();
  const leadership = createLeaderElection({
    redis,
    key: `${config.queuePrefix}:duty:queues:${names.join('+')}`,
    logger,
  });
  const scan = async () => {
    const scans = await Promise.allSettled(list.map((worker) => worker.scanStalled()));
    const failed = scans.find((each) => each.status === 'rejected');
    if (failed !== undefined) logger.debug('no scan for stalled jobs', { error: messageOf(failed.reason) });
    return STALLED_SCAN_MS;
  };
  return leadership.run(signal, {
    async work(until) {
      waitFor(LEADER_WAIT_SECONDS);
      const failure = 'could not check for stalled jobs';
      await loopUntil(until, { pass: scan, restAfterErrorMs: STALLED_SCAN_MS, failure, logger });
    },
    onFollower: () => waitFor(LONGEST_WAIT_MS / 1000),
  });
}
