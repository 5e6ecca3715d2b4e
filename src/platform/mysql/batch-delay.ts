import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets more come together for the next round of something that many share: a round costs nearly the same for one as for many,
 * and without this the rounds of a busy process would be as many and as small as they can be. Who comes when no round is under
 * way never waits for it. Resolves after half of what the last round took, `mostMs` at most, in whole ms, when what has come
 * meanwhile was read: rounds are slow where much is going on, and where little is nobody should wait longer than for those.
 */
export async function delayBatch(tookMs: number, mostMs: number): Promise<void> {
  const ms = Math.min(mostMs, Math.floor(tookMs / 2));
  if (ms > 0) await sleep(ms);
  await new Promise(setImmediate);
}
