import type { Queue } from 'bullmq';
import { messageOf, Unavailable } from '../../platform/errors.js';
import { memoizeFor } from '../../platform/runtime/memoize.js';
import type { Queues } from './queues.js';

/** Requests within this time share one count: it lists the connections of Redis. */
const SHARED_MS = 1_000;

/** The work of all worker processes now. */
export interface WorkerStats {
  /** Jobs that run. */
  running: number;
  /** Jobs that the live workers can run at once; undefined if a worker does not tell, such as one of an earlier version. */
  slots: number | undefined;
  /** Jobs that wait for a worker. */
  waiting: number;
  /** Time for which the oldest of them has waited, in ms; 0 if none waits. */
  oldestWaitMs: number;
}

export type ReadWorkerStats = () => Promise<WorkerStats>;

/** Returns the name under which a worker's connection is listed: it tells how many jobs the worker runs at once. */
export function workerName(jobsAtOnce: number): string {
  return `jobs-${jobsAtOnce}`;
}

/** Reads the work of all processes from Redis. The result throws Unavailable if Redis does not reply. */
export function createWorkerStats({ queues }: { queues: Queues }): ReadWorkerStats {
  return memoizeFor(SHARED_MS, async () => {
    try {
      return total(await Promise.all([...queues.values()].map(statsOf)));
    } catch (error) {
      throw new Unavailable(`The queues cannot be read now: ${messageOf(error)}`, { cause: error });
    }
  });
}

async function statsOf(queue: Queue): Promise<WorkerStats> {
  const [counts, workers, waiting] = await Promise.all([
    queue.getJobCounts('active', 'waiting', 'prioritized'),
    queue.getWorkers(),
    queue.getJobs(['waiting', 'prioritized'], 0, 0, true),
  ]);
  // A job that a worker took in between has no data any more.
  const since = waiting.flatMap((job) => job?.timestamp ?? []);
  return {
    running: counts['active'] ?? 0,
    slots: workers.reduce<number | undefined>((sum, { rawname }) => plus(sum, slotsOf(rawname)), 0),
    waiting: (counts['waiting'] ?? 0) + (counts['prioritized'] ?? 0),
    oldestWaitMs: since.length === 0 ? 0 : Math.max(0, Date.now() - Math.min(...since)),
  };
}

/** Returns the number in a `workerName`, which stands at the end of the connection's name. */
function slotsOf(connection: string | undefined): number | undefined {
  const [, jobs] = /:w:jobs-(\d+)$/.exec(connection ?? '') ?? [];
  return jobs === undefined ? undefined : Number(jobs);
}

function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function total(stats: WorkerStats[]): WorkerStats {
  return stats.reduce((a, b) => ({
    running: a.running + b.running,
    slots: plus(a.slots, b.slots),
    waiting: a.waiting + b.waiting,
    oldestWaitMs: Math.max(a.oldestWaitMs, b.oldestWaitMs),
  }));
}
