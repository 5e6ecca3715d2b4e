import type { QueueDeliveries } from '../../../../clients/typescript/api.js';
import { placeOfWait, QUEUES, waitSentence } from '../../text/wait-words.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { spanWords } from '../../ui/words/since.js';
import type { QueueSums } from './queue-sums.js';

/** Beyond this, waiting is told in the colour of a warning. */
export const LATE_SECONDS = 60;

/** Why work of a queue waits. */
export interface QueueReason {
  words: string;
  /** Whether nothing ends it by itself. */
  isUrgent: boolean;
  /** The page that says more. */
  path?: string;
}

type Waiting = QueueDeliveries['reasons'][number];

/** What has its turn is no reason to wait, and the state of the queue is told by itself. */
const TOLD: ReadonlySet<Waiting['reason']> = new Set<Waiting['reason']>([
  'queued',
  'running',
  'paused',
  'no_process',
]);

/** Returns why work of a queue waits, the most urgent reason first; empty if nothing does. `now` in milliseconds. */
export function reasonsOf({ jobs, deliveries, isServed, isPaused }: QueueSums, now: number): QueueReason[] {
  const reasons: QueueReason[] = [];
  if (isPaused) {
    const by = jobs?.paused?.by;
    reasons.push({ words: `paused${by ? ` by ${by}` : ''}`, isUrgent: true });
  }
  if (!isServed) {
    const age = oldestOf(deliveries, now);
    const waits = age === undefined ? '' : `: the oldest work waits for ${spanWords(age)}`;
    reasons.push({ words: `no process serves it${waits}`, isUrgent: true });
  } else if (jobs !== null && jobs.oldest_seconds > LATE_SECONDS) {
    const words = `all slots are busy: the oldest job waits for ${spanWords(jobs.oldest_seconds * 1_000)}`;
    reasons.push({ words, isUrgent: false });
  }
  for (const { reason, count, until } of deliveries?.reasons ?? []) {
    if (TOLD.has(reason)) continue;
    const place = placeOfWait(reason);
    reasons.push({
      words: `${countWords(count)}: ${lowered(waitSentence(reason, until))}`,
      isUrgent: false,
      // It is listed on the page of the queues.
      ...(place !== undefined && place !== QUEUES && { path: place.path }),
    });
  }
  return reasons;
}

/** A queue with work that no process serves. */
interface UnservedQueue {
  queue: string;
  words: string;
  /** How much waits and for how long: it changes all the time. */
  waiting: string;
}

/** Returns what is said of a queue that no process serves; undefined: nothing waits there. `now` in milliseconds. */
export function unservedWords(queue: string, sums: QueueSums, now: number): UnservedQueue | undefined {
  const { deliveries, isServed } = sums;
  const age = oldestOf(deliveries, now);
  if (isServed || deliveries === null || age === undefined) return undefined;
  const { pending, held } = deliveries;
  return {
    queue,
    words: `No process serves ${queue}. Start a worker for this queue.`,
    waiting: `${nounWords(pending + held, 'delivery waits', 'deliveries wait')}, the oldest for ${spanWords(age)}.`,
  };
}

/** Returns for how long the oldest work waits that only a process would move; in milliseconds. */
function oldestOf(deliveries: QueueSums['deliveries'], now: number): number | undefined {
  const oldest = deliveries?.oldest_at ?? null;
  return oldest === null ? undefined : Math.max(0, now - Date.parse(oldest));
}

const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
