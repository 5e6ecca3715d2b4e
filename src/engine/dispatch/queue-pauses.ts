import type { Queue } from 'bullmq';
import type { RedisClient } from '../../platform/redis/redis-client.js';

/** The pause of a queue. Null: it was not paused on the board, which alone notes it. */
export interface PausedQueue {
  since: Date | null;
  /** The account that paused it. */
  by: string | null;
}

const UNKNOWN: PausedQueue = { since: null, by: null };

/** Notes a pause of a part of a queue that begins now. */
export async function notePause(queue: Queue, redis: Pick<RedisClient, 'set'>, by: string): Promise<void> {
  await redis.set(noteKey(queue), JSON.stringify({ at: Date.now(), by }));
}

/** Deletes the note of a pause that is over. */
export async function noteResume(queue: Queue, redis: Pick<RedisClient, 'del'>): Promise<void> {
  await redis.del(noteKey(queue));
}

/** Returns the pause of a part of a queue; null: it is not paused. @throws if Redis does not reply. */
export async function readPause(queue: Queue, redis: RedisClient): Promise<PausedQueue | null> {
  const [isPaused, note] = await Promise.all([queue.isPaused(), redis.get(noteKey(queue))]);
  if (!isPaused) {
    // Another program has ended that pause: it says nothing of the next one.
    if (note !== null) await noteResume(queue, redis);
    return null;
  }
  if (note === null) return UNKNOWN;
  const { at, by } = JSON.parse(note) as { at: number; by: string };
  return { since: new Date(at), by };
}

function noteKey(queue: Queue): string {
  return queue.toKey('fabula-pause');
}
