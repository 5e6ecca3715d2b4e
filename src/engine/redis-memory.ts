import type { Redis } from 'ioredis';

/** How much memory Redis may use is asked again after this: it can be set while it runs. */
const ASK_EVERY_MS = 30_000;
/** Taken where Redis says neither what it may use nor what there is. */
const UNKNOWN_BYTES = 256 * 1024 * 1024;

/**
 * Gives the bytes of memory that Redis may use: its `maxmemory`; without one, what its machine has. In a container that is
 * more than it will get, and Redis cannot know. @throws when Redis does not answer.
 */
export function createRedisMemory(redis: Pick<Redis, 'info'>): () => Promise<number> {
  let known: { bytes: number; askedAt: number } | undefined;
  return async () => {
    const askedAt = performance.now();
    if (known === undefined || askedAt - known.askedAt > ASK_EVERY_MS) {
      known = { bytes: memoryIn(await redis.info('memory')), askedAt };
    }
    return known.bytes;
  };
}

function memoryIn(info: string): number {
  const field = (name: string) => Number(new RegExp(`^${name}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
  return [field('maxmemory'), field('total_system_memory')].find((bytes) => bytes > 0) ?? UNKNOWN_BYTES;
}
