import { spanWords } from '../../ui/words/since.js';
import type { QueueSums } from './queue-sums.js';

/** Beyond this, waiting is told in the colour of a warning. */
export const LATE_SECONDS = 60;

/** Returns why work of a queue waits, the most urgent reason first; empty if nothing does. */
export function reasonsOf({ jobs, deliveries }: QueueSums): string[] {
  const reasons: string[] = [];
  if (jobs !== null) {
    if (jobs.paused !== null) reasons.push(`paused${jobs.paused.by === null ? '' : ` by ${jobs.paused.by}`}`);
    if (jobs.workers === 0) reasons.push('no worker serves it');
    else if (jobs.oldest_seconds > LATE_SECONDS)
      reasons.push(`all slots are busy: the oldest job waits for ${spanWords(jobs.oldest_seconds * 1_000)}`);
  }
  if (deliveries === null) return reasons;
  const { held, retrying, sleeping, parked } = deliveries;
  if (retrying > 0) reasons.push('retries wait for their time');
  if (held > 0) reasons.push('a story has used its share of jobs');
  if (sleeping > 0) reasons.push('delayed by options or a quota, or disabled');
  if (parked > 0) reasons.push('parked until a group or a called story ends');
  return reasons;
}
