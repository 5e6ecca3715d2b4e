import { memoizeFor } from '../../../platform/runtime/memoize.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import type { QueueName } from '../jobs.js';
import { partsByQueue, type Queues } from '../queues.js';
import { readQueueWorkers } from './worker-stats.js';

/** Whether the jobs of a queue are taken. */
export interface QueueHealth {
  /** Null: Redis does not list its connections. */
  isServed: boolean | null;
  isPaused: boolean;
}

export type QueueHealths = ReadonlyMap<QueueName, QueueHealth>;

/** Returns the states of all queues; undefined: Redis does not reply in time. */
export type ReadQueueHealth = () => Promise<QueueHealths | undefined>;

const SHARED_MS = 5_000;
const LIMIT_MS = 1_000;

/** Creates the reader of the states. All that ask within five seconds share one reading. */
export function createQueueHealth(queues: Pick<Queues, 'at' | 'known'>): ReadQueueHealth {
  // A failure is cached too: those who ask would wait for it each time.
  return memoizeFor(SHARED_MS, () => withTimeout(readStates(queues), LIMIT_MS).catch(() => undefined));
}

async function readStates(queues: Pick<Queues, 'at' | 'known'>): Promise<QueueHealths> {
  const [workers, parts] = await Promise.all([readQueueWorkers(queues), queues.known()]);
  return new Map(
    await Promise.all(
      partsByQueue(parts).map(async ([name, ofQueue]) => {
        const paused = await Promise.all(ofQueue.map((part) => queues.at(part).isPaused()));
        const count = workers.get(name)?.workers ?? null;
        return [
          name,
          { isServed: count === null ? null : count > 0, isPaused: paused.includes(true) },
        ] as const;
      }),
    ),
  );
}
