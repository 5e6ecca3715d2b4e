import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Lets more come together for the next round of something that many share: a round costs nearly the same for one as for many,
 * and without this the rounds of a busy process would be as many and as small as they can be. Who comes when no round is under
 * way never waits for it. Resolves after `ms`, when what has come meanwhile was read.
 */
export async function gatherMore(ms: number): Promise<void> {
  await sleep(ms);
  await new Promise(setImmediate);
}
