import type { Queue } from 'bullmq';
import type { QueueName } from '../jobs.js';
import { partsByQueue, type Queues } from '../queues.js';

/** Minutes that are told; workers keep at least as many. */
export const MINUTES = 60;

/** How many jobs of a queue ended in each of the last minutes, the oldest first; the last minute goes on. */
export interface QueueMinutes {
  /** Attempts that were put off count too. */
  ended: number[];
  /** Jobs that became dead letters, or could not be carried out. */
  failed: number[];
}

const MINUTE_MS = 60_000;

/** Returns what BullMQ counted for each queue in the script that ends a job. @throws if Redis does not reply. */
export async function readQueueMinutes(
  queues: Pick<Queues, 'at' | 'known'>,
): Promise<Map<QueueName, QueueMinutes>> {
  const minute = Math.floor(Date.now() / MINUTE_MS);
  return new Map(
    await Promise.all(
      partsByQueue(await queues.known()).map(async ([name, parts]) => {
        const of = (what: 'completed' | 'failed') =>
          Promise.all(parts.map((part) => countsOf(queues.at(part), what, minute)));
        const [ended, failed] = await Promise.all([of('completed'), of('failed')]);
        return [name, { ended: sums(ended), failed: sums(failed) }] as const;
      }),
    ),
  );
}

/** Complete minutes, newest first, up to that before `prevTS`; the current minute is counted separately. */
async function countsOf(queue: Queue, what: 'completed' | 'failed', minute: number): Promise<number[]> {
  const { meta, data } = await queue.getMetrics(what, 0, MINUTES - 1);
  const present = Math.floor(meta.prevTS / MINUTE_MS);
  const newestFirst = [meta.count - meta.prevCount, ...data];
  return Array.from({ length: MINUTES }, (_, index) => {
    const at = present - (minute - (MINUTES - 1) + index);
    return newestFirst[at] ?? 0;
  });
}

function sums(parts: number[][]): number[] {
  return Array.from({ length: MINUTES }, (_, index) =>
    parts.reduce((sum, counts) => sum + (counts[index] ?? 0), 0),
  );
}
