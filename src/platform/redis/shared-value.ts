import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import type { RedisClient } from './redis-client.js';

/** A value serves this many times as long as reading it took, unless `mostMs` is less: reading takes a twentieth of the time. */
const REST_PER_READING = 20;
/** However cheap it is, reading takes half of the time at most. */
const LEAST_REST = 2;

/** A value that one process read for all. */
export interface SharedValue<T> {
  value: T;
  /** Time since its reading began, in ms. */
  ageMs: number;
  /** Age from which it is read again. */
  freshMs: number;
}

export interface SharedValueDeps<T> {
  redis: Pick<RedisClient, 'set' | 'del' | 'pipeline'>;
  /** The Redis key of the value, which is kept as JSON. */
  key: string;
  read(): Promise<T>;
  /** How long a value serves all processes, at least. */
  leastMs: number;
  /** How long a value serves at most, by what it cost: a busy machine may have kept a cheap reading waiting. Absent: no limit. */
  mostMs?(value: T): number;
  /** Time after which the reading of a process that died is made by another one. */
  readingMs: number;
  logger: Logger;
}

/**
 * Returns a function that reads a value: one process reads for all, and Redis keeps the result for a moment. Undefined:
 * another process is reading now. If Redis does not respond, each process reads for itself.
 */
export function createSharedValue<T>(deps: SharedValueDeps<T>): () => Promise<SharedValue<T> | undefined> {
  const { redis, logger } = deps;
  const place = `{${deps.key}}`;
  const reading = `${place}:reading`;

  const noteFailure = (error: unknown) => {
    logger.debug('a shared value is read by this process only', {
      key: deps.key,
      error: messageOf(error),
    });
  };
  const kept = async (): Promise<SharedValue<T> | undefined> => {
    const [text, left] = (await redis.pipeline().get(place).pttl(place).exec()) ?? [];
    const failure = text?.[0] ?? left?.[0];
    if (failure) throw failure;
    if (typeof text?.[1] !== 'string') return undefined;
    const { freshMs, ageMs, value } = JSON.parse(text[1]) as SharedValue<T>;
    return { value, ageMs: ageMs + Math.max(0, freshMs - Number(left?.[1])), freshMs };
  };
  const readAlone = async (): Promise<SharedValue<T>> => {
    const beganAt = performance.now();
    const value = await deps.read();
    const ageMs = performance.now() - beganAt;
    const restMs = Math.min(REST_PER_READING * ageMs, deps.mostMs?.(value) ?? Number.POSITIVE_INFINITY);
    return { value, ageMs, freshMs: Math.round(Math.max(deps.leastMs, LEAST_REST * ageMs, restMs)) };
  };
  const readForAll = async (): Promise<SharedValue<T>> => {
    try {
      const read = await readAlone();
      await redis.set(place, JSON.stringify(read), 'PX', read.freshMs).catch(noteFailure);
      return read;
    } finally {
      await redis.del(reading).catch(noteFailure);
    }
  };

  return async () => {
    try {
      const known = await kept();
      if (known !== undefined) return known;
      if ((await redis.set(reading, '1', 'PX', deps.readingMs, 'NX')) !== 'OK') return undefined;
    } catch (error) {
      noteFailure(error);
      return readAlone();
    }
    return readForAll();
  };
}
