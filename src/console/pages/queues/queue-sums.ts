import type { Queue } from '../../../../clients/typescript/api.js';

/** One queue, or all of them together. Undefined: the person may not see it, or it could not be read. */
export interface QueueSums {
  jobs: Queue['jobs'];
  deliveries: Queue['deliveries'];
  /** Whether a process serves each of them; true also where nobody can tell. */
  isServed: boolean;
  isPaused: boolean;
}

/** Returns what is known of one queue. */
export const sumsOf = ({ jobs, deliveries, served, paused }: Queue): QueueSums => ({
  jobs,
  deliveries,
  isServed: served !== false,
  isPaused: paused === true,
});

const MINUTES_A_BAR = 3;

/** Returns the sums over queues; a part that one of them lacks is lacking. */
export function sumOf(queues: readonly Queue[]): QueueSums {
  return {
    // What one queue lacks is told beside it.
    isServed: true,
    isPaused: false,
    jobs: together(
      queues.map(({ jobs }) => jobs),
      (a, b) => ({
        waiting: a.waiting + b.waiting,
        active: a.active + b.active,
        delayed: a.delayed + b.delayed,
        oldest_seconds: Math.max(a.oldest_seconds, b.oldest_seconds),
        workers: a.workers === null || b.workers === null ? null : Math.min(a.workers, b.workers),
        paused: a.paused ?? b.paused,
        slots: a.slots === null || b.slots === null ? null : a.slots + b.slots,
        ended: added(a.ended, b.ended),
        failed: added(a.failed, b.failed),
      }),
    ),
    deliveries: together(
      queues.map(({ deliveries }) => deliveries),
      (a, b) => ({
        pending: a.pending + b.pending,
        held: a.held + b.held,
        sleeping: a.sleeping + b.sleeping,
        retrying: a.retrying + b.retrying,
        next_retry_at: earlier(a.next_retry_at, b.next_retry_at),
        parked: a.parked + b.parked,
        failed: a.failed + b.failed,
        oldest_at: earlier(a.oldest_at, b.oldest_at),
        reasons: mergedReasons([...a.reasons, ...b.reasons]),
      }),
    ),
  };
}

/** Returns the bars of the last hour, three minutes each. */
export function barsOf({
  ended,
  failed,
}: {
  ended: number[];
  failed: number[];
}): { all: number; bad: number }[] {
  return Array.from({ length: Math.ceil(ended.length / MINUTES_A_BAR) }, (_, bar) => {
    const part = [bar * MINUTES_A_BAR, (bar + 1) * MINUTES_A_BAR] as const;
    const bad = total(failed.slice(...part));
    return { all: total(ended.slice(...part)) + bad, bad };
  });
}

/** Returns the sum of counts. */
export const total = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

function together<Part>(parts: (Part | null)[], add: (a: Part, b: Part) => Part): Part | null {
  return parts.reduce((sum, part) => (sum === null || part === null ? null : add(sum, part)));
}

type Waiting = NonNullable<Queue['deliveries']>['reasons'][number];

/** Returns each reason once, the most frequent first. */
function mergedReasons(all: readonly Waiting[]): Waiting[] {
  const byReason = new Map<Waiting['reason'], Waiting>();
  for (const one of all) {
    const other = byReason.get(one.reason);
    byReason.set(
      one.reason,
      other === undefined
        ? one
        : {
            reason: one.reason,
            count: one.count + other.count,
            oldest_at: one.oldest_at < other.oldest_at ? one.oldest_at : other.oldest_at,
            until: earlier(one.until, other.until),
          },
    );
  }
  return [...byReason.values()].toSorted((a, b) => b.count - a.count);
}

function added(a: number[], b: number[]): number[] {
  return a.map((count, index) => count + (b[index] ?? 0));
}

function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
