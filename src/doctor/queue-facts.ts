import type { Queue } from 'bullmq';
import type { QueueName } from '../engine/dispatch/jobs.js';
import { partsByQueue, type Queues } from '../engine/dispatch/queues.js';

/** Active jobs that are looked at in each part of a queue. */
const MOST_ACTIVE = 100;

/** The jobs and workers of one queue now, in all its parts together. */
export interface QueueFacts {
  queue: QueueName;
  waiting: number;
  failed: number;
  /** Live workers of the part that has the fewest; undefined if Redis does not list its connections. */
  workers: number | undefined;
  /** Whether a part is paused. */
  isPaused: boolean;
  /** Time for which the oldest waiting job has waited, in ms; 0 if none waits. */
  oldestWaitMs: number;
  /** Times for which jobs have run, in ms. */
  runningMs: number[];
}

/** Reads the facts of all queues. @throws if Redis does not reply. */
export async function readQueueFacts(
  queues: Pick<Queues, 'at' | 'known'>,
  nowMs: number,
): Promise<QueueFacts[]> {
  return Promise.all(
    partsByQueue(await queues.known()).map(async ([queue, parts]) => {
      const each = await Promise.all(parts.map((part) => factsOf(queues.at(part), nowMs)));
      return { queue, ...together(each) };
    }),
  );
}

/** The facts of one part. */
type PartFacts = Omit<QueueFacts, 'queue'>;

function together(each: PartFacts[]): PartFacts {
  const sum = (count: (facts: PartFacts) => number) => each.reduce((all, facts) => all + count(facts), 0);
  const workers = each.flatMap((facts) => facts.workers ?? []);
  return {
    waiting: sum(({ waiting }) => waiting),
    failed: sum(({ failed }) => failed),
    workers: workers.length < each.length ? undefined : Math.min(...workers),
    isPaused: each.some(({ isPaused }) => isPaused),
    oldestWaitMs: Math.max(...each.map(({ oldestWaitMs }) => oldestWaitMs)),
    runningMs: each.flatMap(({ runningMs }) => runningMs),
  };
}

async function factsOf(queue: Queue, nowMs: number): Promise<PartFacts> {
  const [counts, workers, isPaused, [oldest], active] = await Promise.all([
    queue.getJobCounts('waiting', 'prioritized', 'failed'),
    queue.getWorkers(),
    queue.isPaused(),
    queue.getJobs(['waiting'], 0, 0, true),
    queue.getJobs(['active'], 0, MOST_ACTIVE - 1, true),
  ]);
  const count = (state: string) => counts[state] ?? 0;
  return {
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
