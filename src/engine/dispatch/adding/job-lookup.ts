import type { Job } from 'bullmq';
import { pipelineBySlot } from '../../../platform/redis/by-slot.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { JobRef } from '../../state/deliveries/delivery-job.js';
import { deliveryJobId } from '../jobs.js';
import type { QueuePart } from '../parts/queue-part.js';
import type { Queues } from '../queues.js';

/** A job that was handed back for longer is one of many of a slow tenant (decision 0030): it comes when its turn comes. */
const SHORT_REST_MS = 30_000;

/**
 * `live`: waiting or running. `resting`: handed back for less than half a minute. `finished`: ended, but its delivery
 * still exists.
 */
export type JobPresence = 'live' | 'resting' | 'finished' | 'absent';

/** Looks up the jobs of deliveries in Redis. */
export interface JobLookup {
  /** Returns the presence of jobs, by delivery id. @throws if Redis does not reply. */
  find(jobs: JobRef[]): Promise<Map<number, JobPresence>>;
  /**
   * Lets resting jobs be tried at once; the others are left as they are. A job that was handed back by a process whose clock
   * was ahead would rest for as much longer (notes/stores.md, Whose clock). @throws if Redis does not reply.
   */
  wake(jobs: JobRef[]): Promise<void>;
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
          return { key, add: (pipeline) => void pipeline.hmget(key, 'timestamp', 'finishedOn', 'delay') };
        }),
      );
      const found = new Map<number, JobPresence>();
      for (const [index, { job }] of places.entries()) {
        const here = presence(replies[index]?.[0]);
        found.set(job.deliveryId, stronger(found.get(job.deliveryId), here));
      }
      return found;
    },
    async wake(jobs) {
      if (jobs.length === 0) return;
      const [epoch, parts] = await Promise.all([deps.epoch(), deps.queues.known()]);
      const places = jobs.flatMap((job) => placesOf(job, parts));
      await Promise.all(
        places.map(async ({ job, part }) =>
          wakeJob(await deps.queues.at(part).getJob(deliveryJobId(epoch, job))),
        ),
      );
    },
  };
}

async function wakeJob(job: Job | undefined): Promise<void> {
  if (job === undefined || !(await job.isDelayed())) return;
  await job.promote().catch(async (error: unknown) => {
    // Its rest may have ended meanwhile.
    if (await job.isDelayed()) throw error;
  });
}

/** Returns where a job may be: a process with another number of parts may have added it (decision 0072). */
function placesOf(job: JobRef, parts: readonly QueuePart[]): { job: JobRef; part: QueuePart }[] {
  return parts.filter(({ queue }) => queue === job.queue).map((part) => ({ job, part }));
}

/** Returns what two parts say together. */
function stronger(before: JobPresence | undefined, now: JobPresence): JobPresence {
  if (before === undefined || before === 'absent') return now;
  return now === 'live' || now === 'resting' ? now : before;
}

function presence(fields: unknown): JobPresence {
  const [timestamp, finishedOn, delay] = fields as [string | null, string | null, string | null];
  if (timestamp === null) return 'absent';
  if (finishedOn !== null) return 'finished';
  const restMs = Number(delay ?? 0);
  return restMs > 0 && restMs < SHORT_REST_MS ? 'resting' : 'live';
}
