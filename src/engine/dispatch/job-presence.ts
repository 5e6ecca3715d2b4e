import { pipelineBySlot } from '../../platform/redis/by-slot.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
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

export function createJobLookup(deps: {
  redis: RedisClient;
  queues: Queues;
  epoch(): Promise<string>;
}): JobLookup {
  return {
    async find(jobs) {
      const epoch = await deps.epoch();
      const keys = jobs.map((job) => queueNamed(deps.queues, job.queue).toKey(deliveryJobId(epoch, job)));
      const replies = await pipelineBySlot(
        deps.redis,
        keys.map((key) => ({ key, add: (pipeline) => void pipeline.hmget(key, 'timestamp', 'finishedOn') })),
      );
      return new Map(jobs.map((job, index) => [job.deliveryId, presence(replies[index]?.[0])]));
    },
  };
}

function presence(fields: unknown): JobPresence {
  const [timestamp, finishedOn] = fields as [string | null, string | null];
  if (timestamp === null) return 'absent';
  return finishedOn === null ? 'live' : 'finished';
}
