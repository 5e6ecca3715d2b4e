import { askMasters } from '../../../platform/redis/masters.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { isDenied } from '../../../engine/face.js';

/**
 * Returns the fields of INFO by name, of each master; undefined if the user may not run it.
 * @throws if Redis does not reply.
 */
export async function readRedisInfo(redis: RedisClient): Promise<Map<string, string>[] | undefined> {
  const infos = await unlessDenied(askMasters(redis, (server) => server.info()));
  return infos?.map(fieldsIn);
}

function fieldsIn(info: string): Map<string, string> {
  const fields = info.split(/\r?\n/).flatMap((line) => {
    const [, name, value] = /^(\w+):(.*)$/.exec(line) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  return new Map(fields);
}

/** Returns a setting of CONFIG GET, of each master; none if the user may not read it. @throws if Redis does not reply. */
export async function readRedisSetting(redis: RedisClient, name: string): Promise<string[]> {
  const pairs = await unlessDenied(askMasters(redis, (server) => server.config('GET', name)));
  return pairs?.flatMap(([, value]) => value ?? []) ?? [];
}

async function unlessDenied<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isDenied(error)) return undefined;
    throw error;
  }
}
