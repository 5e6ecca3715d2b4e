import type { DeliveryQueue } from '../../agents/delivery-queues.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';

/** How long a count serves all processes, at least; counting takes at most a twentieth of the time. */
const FRESH_MS = 500;
const REST_PER_COUNT = 20;
/** Time after which the count of a process that died is made by another one. */
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

export interface SharedCountsDeps {
  redis: Pick<RedisClient, 'set' | 'del' | 'pipeline'>;
  prefix: string;
  /** Counts in the database, which takes as long as there are deliveries. */
  count(): Promise<JobCount[]>;
  logger: Logger;
}

/**
 * Returns a function that reads the counts: one process counts for all, and Redis keeps the result for a moment. Undefined:
 * another process is counting now. If Redis does not respond, each process counts for itself.
 */
export function createSharedCounts(deps: SharedCountsDeps): () => Promise<JobCounts | undefined> {
  const { redis, logger } = deps;
  const place = `{${deps.prefix}:job-counts}`;
  const counting = `${place}:counting`;

  const noteFailure = (error: unknown) => {
    logger.debug('jobs are counted by this process alone', { error: messageOf(error) });
  };
  const kept = async (): Promise<JobCounts | undefined> => {
    const [text, left] = (await redis.pipeline().get(place).pttl(place).exec()) ?? [];
    const failure = text?.[0] ?? left?.[0];
    if (failure) throw failure;
    return typeof text?.[1] === 'string' ? parse(text[1], Number(left?.[1])) : undefined;
  };
  const countForAll = async (): Promise<JobCounts> => {
    const beganAt = performance.now();
    try {
      const counts = await deps.count();
      const tookMs = performance.now() - beganAt;
      const freshMs = Math.max(FRESH_MS, Math.round(REST_PER_COUNT * tookMs));
      await redis.set(place, format(counts, freshMs), 'PX', freshMs).catch(noteFailure);
      return { counts, ageMs: tookMs };
    } finally {
      await redis.del(counting).catch(noteFailure);
    }
  };

  return async () => {
    try {
      const known = await kept();
      if (known !== undefined) return known;
      if ((await redis.set(counting, '1', 'PX', COUNTING_MS, 'NX')) !== 'OK') return undefined;
    } catch (error) {
      noteFailure(error);
      return { counts: await deps.count(), ageMs: 0 };
    }
    return countForAll();
  };
}

/** Stories are many: a count is three values, not an object. */
function format(counts: JobCount[], freshMs: number): string {
  return JSON.stringify([freshMs, ...counts.map(({ queue, storyId, jobs }) => [queue, storyId, jobs])]);
}

function parse(text: string, leftMs: number): JobCounts {
  const [freshMs, ...rows] = JSON.parse(text) as [number, ...[DeliveryQueue, number, number][]];
  return {
    counts: rows.map(([queue, storyId, jobs]) => ({ queue, storyId, jobs })),
    ageMs: Math.max(0, freshMs - leftMs),
  };
}
