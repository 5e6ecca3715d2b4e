import type { Config } from '../../config/config.js';

/** Jobs of a worker per job that one story may have at once, so that slow work leaves room for others (rule 19). */
const JOBS_PER_STORY_SLOT = 2;

/** Returns the most jobs of one queue that a worker process runs at once. */
export function jobsAtOnce({ workerConcurrency }: Pick<Config, 'workerConcurrency'>): number {
  return JOBS_PER_STORY_SLOT * workerConcurrency;
}
