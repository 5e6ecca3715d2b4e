import type { Redis } from 'ioredis';
import type { JobRef } from '../state/delivery-job.js';
import { deliveryJobId } from './jobs.js';
import { queueNamed, type Queues } from './queues.js';

/** `live`: waiting or under way. `finished`: over, but it left its delivery behind. */
export type JobPresence = 'live' | 'finished' | 'absent';

/** Asks Redis what it knows of the jobs of some deliveries. */
export interface JobLookup {
  /** By delivery id. @throws when Redis does not answer. */
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
  if (reply === undefined) throw new Error('Redis gave no answer');
  const [error, fields] = reply;
  if (error !== null) throw error;
  const [timestamp, finishedOn] = fields as [string | null, string | null];
  if (timestamp === null) return 'absent';
  return finishedOn === null ? 'live' : 'finished';
}
