import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits before the next batch, so that more items join it: a batch costs nearly the same for one item as for many, and
 * otherwise a busy process would run as many and as small batches as possible. The first item of an idle process never
 * waits. Resolves after half the time of the last batch, at most `mostMs`, in whole ms, and after pending input was read:
 * batches are slow under load, and without load nothing should wait longer.
 */
export async function delayBatch(tookMs: number, mostMs: number): Promise<void> {
  const ms = Math.min(mostMs, Math.floor(tookMs / 2));
  if (ms > 0) await sleep(ms);
  await new Promise(setImmediate);
}
