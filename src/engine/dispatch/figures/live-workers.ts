import type { Queue } from 'bullmq';
import type { QueueName } from '../jobs.js';
import { partsByQueue, type Queues } from '../queues.js';

/** The live workers of one queue. */
export interface LiveQueueWorkers {
  /** Workers of the part that has the fewest; null: Redis does not list its connections. */
  workers: number | null;
  /** Jobs that they can run at once; undefined: Redis does not list their names. */
  slots: number | undefined;
}

/** Returns the name under which a worker's connection is listed: it tells how many jobs the worker runs at once. */
export function workerName(jobsAtOnce: number): string {
  return `jobs-${jobsAtOnce}`;
}

/** Returns the live workers of each queue. @throws if Redis does not reply. */
export async function readQueueWorkers(
  queues: Pick<Queues, 'at' | 'known'>,
): Promise<Map<QueueName, LiveQueueWorkers>> {
  return new Map(
    await Promise.all(
      partsByQueue(await queues.known()).map(async ([name, parts]) => {
        const each = await Promise.all(parts.map((part) => workersOf(queues.at(part))));
        return [name, together(each)] as const;
      }),
    ),
  );
}

/** Adds numbers of which each may be unknown. */
export function plus(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}

function together(parts: LiveQueueWorkers[]): LiveQueueWorkers {
  const counts = parts.map(({ workers }) => workers);
  return {
    workers: counts.includes(null) ? null : Math.min(...counts.flatMap((count) => count ?? [])),
    slots: parts.reduce<number | undefined>((sum, { slots }) => plus(sum, slots), 0),
  };
}

async function workersOf(queue: Queue): Promise<LiveQueueWorkers> {
  const workers = await queue.getWorkers();
  return {
    workers: workers.some(({ addr }) => addr === undefined) ? null : workers.length,
    slots: workers.reduce<number | undefined>((sum, { rawname }) => plus(sum, slotsOf(rawname)), 0),
  };
}

/** Returns the number in a `workerName`, which stands at the end of the connection's name. */
function slotsOf(connection: string | undefined): number | undefined {
  const [, jobs] = /:w:jobs-(\d+)$/.exec(connection ?? '') ?? [];
  return jobs === undefined ? undefined : Number(jobs);
}
