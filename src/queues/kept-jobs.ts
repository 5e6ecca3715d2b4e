import type { KeepJobs } from 'bullmq';

const DAY_SECONDS = 24 * 60 * 60;

/** Jobs that are done and stay in a queue, for Bull Board; the newest. */
const KEPT = 1_000;
/** When more come than that, only so many a second stay: nobody reads a list that is new every second. */
const KEPT_A_SECOND = 10;

/** How long and how many finished jobs stay, so that Bull Board shows the flow (ARCHITECTURE, Queues and processes). */
export const KEEP_JOBS: { removeOnComplete: KeepJobs; removeOnFail: KeepJobs } = {
  removeOnComplete: { age: DAY_SECONDS, count: KEPT },
  removeOnFail: { age: 14 * DAY_SECONDS, count: 10_000 },
};

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
