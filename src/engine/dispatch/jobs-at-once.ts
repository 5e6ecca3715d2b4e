import type { Config } from '../../config/config.js';

/** Jobs that a worker takes for each that may be at work for one story: what is slow leaves room for others (rule 19). */
const JOBS_PER_STORY_SLOT = 2;

/** How many jobs of one queue a worker process has under way at once, at most. */
export function jobsAtOnce({ workerConcurrency }: Pick<Config, 'workerConcurrency'>): number {
  return JOBS_PER_STORY_SLOT * workerConcurrency;
}
