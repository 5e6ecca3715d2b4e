import type { KeepJobs } from 'bullmq';
import { type QueueName, SPOOL_QUEUE } from './jobs.js';

const DAY_SECONDS = 24 * 60 * 60;

/** Jobs that are done and stay in a queue, for Bull Board; the newest. */
const KEPT = 1_000;
/** Jobs that failed and stay; their deliveries are dead letters in MySQL. */
const KEPT_FAILED = 10_000;
/** When more come than that, only so many a second stay: nobody reads a list that is new every second. */
const KEPT_A_SECOND = 10;

/**
 * How long and how many finished jobs stay, so that Bull Board shows the flow (ARCHITECTURE.md, Queues and processes). A
 * failed job of the spool is all that is left of an event that was accepted: none goes for being one of many. What they
 * take is bounded by the room of the spool (rule 17).
 */
export function keptJobs(queue: QueueName): { removeOnComplete: KeepJobs; removeOnFail: KeepJobs } {
  const age = 14 * DAY_SECONDS;
  return {
    removeOnComplete: { age: DAY_SECONDS, count: KEPT },
    removeOnFail: queue === SPOOL_QUEUE ? { age } : { age, count: KEPT_FAILED },
  };
}

/**
 * Says of each job that is done whether it stays. All do until there are as many as a queue keeps; after that a sample,
 * so that the list reaches back over minutes and Redis does not keep and delete thousands a second.
 * `nowMs` is a clock that nobody sets.
 */
export function createJobSampler(nowMs: () => number = () => performance.now()): () => boolean {
  let tokens = KEPT;
  let last = nowMs();
  return () => {
    const now = nowMs();
    tokens = Math.min(KEPT, tokens + ((now - last) * KEPT_A_SECOND) / 1000);
    last = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
