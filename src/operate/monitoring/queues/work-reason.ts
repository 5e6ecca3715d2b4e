import type { QueueHealth, WaitReason } from '../../../engine/face.js';
import { sumOfWork, type WorkCount } from './queue-work-store.js';

/** Deliveries that wait for one reason. */
export interface ReasonWork {
  reason: WaitReason;
  count: number;
  oldestMs: number;
  /** When the first of them goes on, in ms since 1970; null: not at a set time. */
  untilMs: number | null;
}

/** Returns why deliveries wait. Those with a job wait for what their queue waits for; null: that is not known. */
export function waitReasonOf(
  { reason }: Pick<WorkCount, 'reason'>,
  state: QueueHealth | null,
): WaitReason | null {
  if (reason !== 'queued' || state === null) return reason;
  if (state.isPaused) return 'paused';
  return state.isServed === false ? 'no_process' : reason;
}

/** Returns when the first of these deliveries goes on, in ms since 1970; null: not at a set time. */
export function untilOf({ kind, dueMs }: Pick<WorkCount, 'kind' | 'dueMs'>): number | null {
  return kind === 'sleeping' || kind === 'retrying' ? dueMs : null;
}

/** Returns the deliveries of one queue by the reason for which they wait, most first; dead letters do not wait. */
export function sumByReason(work: readonly WorkCount[], state: QueueHealth | null): ReasonWork[] {
  const sums = new Map<WaitReason, ReasonWork>();
  for (const each of work) {
    const reason = waitReasonOf(each, state);
    if (reason === null) continue;
    const untilMs = untilOf(each);
    const before = sums.get(reason);
    const dueMs = untilMs ?? before?.untilMs ?? null;
    if (before === undefined) {
      sums.set(reason, { reason, count: each.count, oldestMs: each.oldestMs, untilMs: dueMs });
      continue;
    }
    const { count, oldestMs } = sumOfWork({ ...before, dueMs: 0 }, { ...each, dueMs: 0 });
    const both = dueMs === null ? null : Math.min(dueMs, before.untilMs ?? dueMs);
    sums.set(reason, { reason, count, oldestMs, untilMs: both });
  }
  return [...sums.values()].toSorted((a, b) => b.count - a.count);
}
