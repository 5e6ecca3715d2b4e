import type { Config } from '../../../config/face.js';
import type { QueuePart } from '../parts/queue-part.js';

/** Jobs of a worker per job that one story may have at once, so that slow work leaves room for others (rule 19). */
const JOBS_PER_STORY_SLOT = 2;

/** Returns the most jobs of one queue that a worker process runs at once. */
export function jobsAtOnce({ workerConcurrency }: Pick<Config, 'workerConcurrency'>): number {
  return JOBS_PER_STORY_SLOT * workerConcurrency;
}

/**
 * Returns how many of them a part gets, at least one. The parts that the process fills divide them all. Any other part, which only
 * has jobs while processes have different settings, gets as much as if all known parts divided them.
 */
export function jobsOfPart(
  { queue, part }: QueuePart,
  { own, known }: { own: readonly QueuePart[]; known: readonly QueuePart[] },
  config: Pick<Config, 'workerConcurrency'>,
): number {
  const all = jobsAtOnce(config);
  const countIn = (parts: readonly QueuePart[]) => parts.filter((each) => each.queue === queue).length;
  const filled = countIn(own);
  if (part > filled) return Math.max(1, Math.floor(all / countIn(known)));
  const more = part <= all % filled ? 1 : 0;
  return Math.max(1, Math.floor(all / filled) + more);
}
