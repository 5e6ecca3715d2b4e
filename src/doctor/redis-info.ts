import type { Redis } from 'ioredis';
import { isDenied } from '../engine/accept/redis-replies.js';

/** Returns the fields of INFO by name; undefined if the user may not run it. @throws if Redis does not reply. */
export async function readRedisInfo(redis: Redis): Promise<Map<string, string> | undefined> {
  const info = await unlessDenied(redis.info());
  if (info === undefined) return undefined;
  const fields = info.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^(\w+):(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return new Map(fields);
}

/** Returns a setting of CONFIG GET; undefined if the user may not read it. @throws if Redis does not reply. */
export async function readRedisSetting(redis: Redis, name: string): Promise<string | undefined> {
  const pair = await unlessDenied(redis.config('GET', name));
  return pair?.[1];
}

async function unlessDenied<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}
