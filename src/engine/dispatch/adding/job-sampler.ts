import type { KeepJobs } from 'bullmq';
import { type QueueName, SPOOL_QUEUE } from '../jobs.js';

const DAY_SECONDS = 24 * 60 * 60;

/** Completed jobs kept in a queue for Bull Board, the newest ones. */
const KEPT = 1_000;
/** Failed jobs kept in a queue; their deliveries are dead letters in MySQL. */
const KEPT_FAILED = 10_000;
/** At a higher rate only so many jobs per second are kept: a list that changes every second is of no use. */
const KEPT_A_SECOND = 10;

/** Tells readers of a queue's list of jobs what is not in it. */
export const KEPT_JOBS_NOTE =
  `Keeps the newest ${KEPT} completed jobs for a day, at a high rate a sample of ${KEPT_A_SECOND} a second, ` +
  `and ${KEPT_FAILED} failed ones for two weeks. A dead letter that failed again after a retry is listed once for each failure.`;

/**
 * Returns how long and how many finished jobs are kept for Bull Board (ARCHITECTURE.md, Queues and processes). A failed job
 * of the spool is the only copy of an accepted event, so their number has no limit; the spool's quota bounds their bytes
 * (rule 17).
 */
export function keptJobs(queue: QueueName): { removeOnComplete: KeepJobs; removeOnFail: KeepJobs } {
  const age = 14 * DAY_SECONDS;
  return {
    removeOnComplete: { age: DAY_SECONDS, count: KEPT },
    removeOnFail: queue === SPOOL_QUEUE ? { age } : { age, count: KEPT_FAILED },
  };
}

/**
 * Returns a function that tells whether the next completed job is kept: all up to `KEPT`, then a sample of
 * `KEPT_A_SECOND`. So the list covers minutes, and Redis does not store and delete thousands of jobs a second.
 * `nowMs` must be a monotonic clock.
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
