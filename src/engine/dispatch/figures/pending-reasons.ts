import { pipelineBySlot } from '../../../platform/redis/by-slot.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import type { JobRef } from '../../state/deliveries/delivery-job.js';
import type { WaitReason } from '../../state/deliveries/wait-reason.js';
import { deliveryJobId } from '../jobs.js';
import type { Queues } from '../queues.js';
import type { ReadQueueHealth } from './queue-health.js';

const LIMIT_MS = 1_000;

/** Returns why each of these pending deliveries does not run, by id; those of which Redis tells nothing are left out. */
export type ReadPendingReasons = (jobs: readonly JobRef[]) => Promise<Map<number, WaitReason>>;

export interface PendingReasonsDeps {
  redis: RedisClient;
  queues: Pick<Queues, 'at' | 'known'>;
  states: ReadQueueHealth;
  epoch: () => Promise<string>;
}

/** Creates the reader of what Redis knows of pending deliveries: their job, and the state of their queue. */
export function createPendingReasons(deps: PendingReasonsDeps): ReadPendingReasons {
  const read = async (jobs: readonly JobRef[]): Promise<Map<number, WaitReason>> => {
    const states = await deps.states();
    if (states === undefined) return new Map();
    const under = await jobReasons(jobs, deps);
    const reasons = jobs.map(({ deliveryId, queue }): [number, WaitReason] => {
      const state = states.get(queue);
      const ofJob = under.get(deliveryId);
      if (ofJob === 'running') return [deliveryId, ofJob];
      if (state?.isPaused === true) return [deliveryId, 'paused'];
      if (state?.isServed === false) return [deliveryId, 'no_process'];
      return [deliveryId, ofJob ?? 'queued'];
    });
    return new Map(reasons);
  };
  return async (jobs) =>
    jobs.length === 0 ? new Map() : withTimeout(read(jobs), LIMIT_MS).catch(() => new Map());
}

/** A job with a lock is under work; one with a delay was handed back, as its story had all its slots. */
async function jobReasons(
  jobs: readonly JobRef[],
  { redis, queues, epoch }: PendingReasonsDeps,
): Promise<Map<number, WaitReason>> {
  const [current, parts] = await Promise.all([epoch(), queues.known()]);
  const places = jobs.flatMap((job) =>
    parts
      .filter(({ queue }) => queue === job.queue)
      .map((part) => ({ id: job.deliveryId, key: queues.at(part).toKey(deliveryJobId(current, job)) })),
  );
  const replies = await pipelineBySlot(
    redis,
    places.map(({ key }) => ({
      key,
      add: (pipeline) => void pipeline.hget(key, 'delay').exists(`${key}:lock`),
    })),
  );
  const found = new Map<number, WaitReason>();
  for (const [index, { id }] of places.entries()) {
    const [delay, isLocked] = replies[index] ?? [];
    if (isLocked === 1) found.set(id, 'running');
    else if (Number(delay ?? 0) > 0 && !found.has(id)) found.set(id, 'slots');
  }
  return found;
}
