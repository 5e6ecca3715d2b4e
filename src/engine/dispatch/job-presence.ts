import type { Redis } from 'ioredis';
import type { JobRef } from '../state/delivery-job.js';
import { deliveryJobId } from './jobs.js';
import { queueNamed, type Queues } from './queues.js';

/** `live`: waiting or running. `finished`: ended, but its delivery still exists. */
export type JobPresence = 'live' | 'finished' | 'absent';

/** Looks up the jobs of deliveries in Redis. */
export interface JobLookup {
  /** Returns the presence of jobs, by delivery id. @throws if Redis does not reply. */
  find(jobs: JobRef[]): Promise<Map<number, JobPresence>>;
}

export function createJobLookup(deps: { redis: Redis; queues: Queues; epoch(): Promise<string> }): JobLookup {
  return {
    async find(jobs) {
      const epoch = await deps.epoch();
      const pipeline = deps.redis.pipeline();
      for (const job of jobs) {
        const key = queueNamed(deps.queues, job.queue).toKey(deliveryJobId(epoch, job));
        pipeline.hmget(key, 'timestamp', 'finishedOn');
      }
      const replies = (await pipeline.exec()) ?? [];
      return new Map(jobs.map((job, index) => [job.deliveryId, presence(replies[index])]));
    },
  };
}

function presence(reply: [error: Error | null, result: unknown] | undefined): JobPresence {
  if (reply === undefined) throw new Error('Redis did not reply');
  const [error, fields] = reply;
  if (error !== null) throw error;
  const [timestamp, finishedOn] = fields as [string | null, string | null];
  if (timestamp === null) return 'absent';
  return finishedOn === null ? 'live' : 'finished';
}
