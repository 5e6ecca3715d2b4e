import type { Queue } from 'bullmq';
import {
  partsByQueue,
  type QueueFigures,
  type Queues,
  readQueueFigures,
  readQueueWorkers,
} from '../../../engine/face.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';

/** Active jobs that are looked at in each part of a queue. */
const MOST_ACTIVE = 100;

/** The jobs and workers of one queue now, in all its parts together. */
export interface QueueFacts extends QueueFigures {
  failed: number;
  /** Live workers of the part that has the fewest; null: Redis does not list its connections. */
  workers: number | null;
  /** Times for which jobs have run, in ms. */
  runningMs: number[];
}

export interface QueueFactsDeps {
  queues: Pick<Queues, 'at' | 'known'>;
  redis: RedisClient;
  nowMs: number;
}

/** Reads the facts of all queues. @throws if Redis does not reply. */
export async function readQueueFacts({ queues, redis, nowMs }: QueueFactsDeps): Promise<QueueFacts[]> {
  const [figures, workers, parts] = await Promise.all([
    readQueueFigures(queues, redis),
    readQueueWorkers(queues),
    queues.known().then(partsByQueue),
  ]);
  return Promise.all(
    figures.map(async (each) => {
      const own = new Map(parts).get(each.queue) ?? [];
      const jobs = await Promise.all(own.map((part) => jobsOf(queues.at(part), nowMs)));
      return {
        ...each,
        workers: workers.get(each.queue)?.workers ?? null,
        failed: jobs.reduce((sum, { failed }) => sum + failed, 0),
        runningMs: jobs.flatMap(({ runningMs }) => runningMs),
      };
    }),
  );
}

async function jobsOf(queue: Queue, nowMs: number): Promise<Pick<QueueFacts, 'failed' | 'runningMs'>> {
  const [counts, active] = await Promise.all([
    queue.getJobCounts('failed'),
    queue.getJobs(['active'], 0, MOST_ACTIVE - 1, true),
  ]);
  return {
    failed: counts['failed'] ?? 0,
    // A job that a worker finished in between has no data any more.
    runningMs: active.map((job) =>
      job?.processedOn === undefined ? 0 : Math.max(0, nowMs - job.processedOn),
    ),
  };
}
