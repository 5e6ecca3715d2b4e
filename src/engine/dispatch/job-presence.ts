import { pipelineBySlot } from '../../platform/redis/by-slot.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { JobRef } from '../state/delivery-job.js';
import { deliveryJobId } from './jobs.js';
import type { QueuePart } from './parts/queue-part.js';
import type { Queues } from './queues.js';

/** `live`: waiting or running. `finished`: ended, but its delivery still exists. */
export type JobPresence = 'live' | 'finished' | 'absent';

/** Looks up the jobs of deliveries in Redis. */
export interface JobLookup {
  /** Returns the presence of jobs, by delivery id. @throws if Redis does not reply. */
  find(jobs: JobRef[]): Promise<Map<number, JobPresence>>;
}

export function createJobLookup(deps: {
  redis: RedisClient;
  queues: Pick<Queues, 'at' | 'known'>;
  epoch(): Promise<string>;
}): JobLookup {
  return {
    async find(jobs) {
      if (jobs.length === 0) return new Map();
      const [epoch, parts] = await Promise.all([deps.epoch(), deps.queues.known()]);
      const places = jobs.flatMap((job) => placesOf(job, parts));
      const replies = await pipelineBySlot(
        deps.redis,
        places.map(({ job, part }) => {
          const key = deps.queues.at(part).toKey(deliveryJobId(epoch, job));
          return { key, add: (pipeline) => void pipeline.hmget(key, 'timestamp', 'finishedOn') };
        }),
      );
      const found = new Map<number, JobPresence>();
      for (const [index, { job }] of places.entries()) {
        const here = presence(replies[index]?.[0]);
        found.set(job.deliveryId, stronger(found.get(job.deliveryId), here));
      }
      return found;
    },
  };
}

/** Returns where a job may be: a process with another number of parts may have added it (decision 0082). */
function placesOf(job: JobRef, parts: readonly QueuePart[]): { job: JobRef; part: QueuePart }[] {
  return parts.filter(({ queue }) => queue === job.queue).map((part) => ({ job, part }));
}

/** Returns what two parts say together. */
function stronger(before: JobPresence | undefined, now: JobPresence): JobPresence {
  if (before === undefined || before === 'absent') return now;
  return now === 'live' ? 'live' : before;
}

function presence(fields: unknown): JobPresence {
  const [timestamp, finishedOn] = fields as [string | null, string | null];
  if (timestamp === null) return 'absent';
  return finishedOn === null ? 'live' : 'finished';
}
