import { setTimeout as sleep } from 'node:timers/promises';
import type { Prompt } from '../state/deliveries/prompt-store.js';

/** Time to wait for an unknown link: a message may be read before the COMMIT that stores its prompts. */
const WAIT_MS = 2_000;
const POLL_MS = 100;
/** Most look-ups that wait at once; above this an unknown link is reported at once. */
const MAX_WAITING = 500;

/** Returns a look-up that polls up to `WAIT_MS` for a prompt that is not stored yet. */
export function createPromptFinder(
  load: (id: string) => Promise<Prompt | undefined>,
): (id: string) => Promise<Prompt | undefined> {
  let waiting = 0;
  return async (id) => {
    const found = await load(id);
    if (found !== undefined || waiting >= MAX_WAITING) return found;
    waiting += 1;
    try {
      return await poll(id, load);
    } finally {
      waiting -= 1;
    }
  };
}

async function poll(
  id: string,
  load: (id: string) => Promise<Prompt | undefined>,
): Promise<Prompt | undefined> {
  const giveUpAt = performance.now() + WAIT_MS;
  while (performance.now() < giveUpAt) {
    await sleep(POLL_MS);
    const found = await load(id);
    if (found !== undefined) return found;
  }
  return undefined;
}
