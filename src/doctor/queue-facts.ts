import type { Queue } from 'bullmq';
import type { QueueName } from '../engine/dispatch/jobs.js';
import type { Queues } from '../engine/dispatch/queues.js';

/** Active jobs that are looked at in each queue. */
const MOST_ACTIVE = 100;

/** The jobs and workers of one queue now. */
export interface QueueFacts {
  queue: QueueName;
  waiting: number;
  failed: number;
  /** Live workers; undefined if Redis does not list its connections. */
  workers: number | undefined;
  isPaused: boolean;
  /** Time for which the oldest waiting job has waited, in ms; 0 if none waits. */
  oldestWaitMs: number;
  /** Times for which jobs have run, in ms. */
  runningMs: number[];
}

/** Reads the facts of all queues. @throws if Redis does not reply. */
export function readQueueFacts(queues: Queues, nowMs: number): Promise<QueueFacts[]> {
  return Promise.all([...queues].map(([name, queue]) => factsOf(name, queue, nowMs)));
}

async function factsOf(name: QueueName, queue: Queue, nowMs: number): Promise<QueueFacts> {
  const [counts, workers, isPaused, [oldest], active] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'failed'),
    queue.getWorkers(),
    queue.isPaused(),
    queue.getJobs(['waiting'], 0, 0, true),
    queue.getJobs(['active'], 0, MOST_ACTIVE - 1, true),
  ]);
  const count = (state: string) => counts[state] ?? 0;
  return {
    queue: name,
    waiting: count('waiting') + count('prioritized'),
    failed: count('failed'),
    workers: workers.some(({ addr }) => addr === undefined) ? undefined : workers.length,
    isPaused,
    oldestWaitMs: since(oldest?.timestamp, nowMs),
    // A job that a worker finished in between has no data any more.
    runningMs: active.map((job) => since(job?.processedOn, nowMs)),
  };
}

function since(timestamp: number | undefined, nowMs: number): number {
  return timestamp === undefined ? 0 : Math.max(0, nowMs - timestamp);
}
