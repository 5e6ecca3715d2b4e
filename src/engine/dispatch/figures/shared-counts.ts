import type { DeliveryQueue } from '../../../agents/face.js';
import { createSharedValue, type SharedValueDeps } from '../../../platform/redis/shared-value.js';

const FRESH_MS = 500;
const COUNTING_MS = 10_000;

/** Deliveries that have a job, of one story in one queue. */
export interface JobCount {
  queue: DeliveryQueue;
  storyId: number;
  jobs: number;
}

/** A count, and how old it is, in ms. */
export interface JobCounts {
  counts: JobCount[];
  ageMs: number;
}

export interface SharedCountsDeps extends Pick<SharedValueDeps<unknown>, 'redis' | 'logger'> {
  prefix: string;
  /** Counts in the database, which takes as long as there are deliveries. */
  count(): Promise<JobCount[]>;
}

/** Returns a function that reads the counts, which one process makes for all (`createSharedValue`). */
export function createSharedCounts(deps: SharedCountsDeps): () => Promise<JobCounts | undefined> {
  const { redis, logger } = deps;
  const read = createSharedValue({
    redis,
    logger,
    key: `${deps.prefix}:jobs-by-story`,
    // Stories are many: a count is three values, not an object.
    read: async () =>
      (await deps.count()).map(({ queue, storyId, jobs }): [DeliveryQueue, number, number] => [
        queue,
        storyId,
        jobs,
      ]),
    leastMs: FRESH_MS,
    readingMs: COUNTING_MS,
  });
  return async () => {
    const found = await read();
    if (found === undefined) return undefined;
    const counts = found.value.map(([queue, storyId, jobs]) => ({ queue, storyId, jobs }));
    return { counts, ageMs: found.ageMs };
  };
}
