import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from '../../platform/logger.js';
import { isDenied } from '../accept/redis-replies.js';

const WITHOUT_INFO = 'this Redis user may not run INFO: an emptied Redis is detected, a restarted one is not';

/** KEYS: sentinel; ARGV: run id, mark. Keeps a value of this Redis run: another walk has set it. */
const BEGIN = `
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #ARGV[1]) == ARGV[1] then return held end
redis.call('SET', KEYS[1], ARGV[2])
return ARGV[2]
`;

/** KEYS: sentinel; ARGV: mark, run id. */
const END = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
`;

/**
 * Detects that Redis does not hold the jobs of this database: Redis was emptied or restarted (rule 11), or the database
 * was restored.
 */
export interface RedisSentinel {
  /** Returns true until `setUp`. @throws if Redis does not reply. */
  redisWasLost(): Promise<boolean>;
  /** To be called before a walk over all pending deliveries; returns a mark for `setUp`. */
  beginWalk(): Promise<string>;
  /** All jobs exist again. If Redis was lost once more since that mark, it still counts as lost. */
  setUp(mark: string): Promise<void>;
}

/**
 * Returns a sentinel of one key: its name contains the database's epoch, its value is Redis's `run_id`. FLUSHALL deletes
 * the key, a restart changes the `run_id`, a restore of the database the epoch. If the user may not read the id, only the
 * key counts. During a walk the value also contains a mark.
 */
export function createRedisSentinel(
  redis: Redis,
  prefix: string,
  epoch: () => Promise<string>,
  logger: Logger,
): RedisSentinel {
  const key = async () => `${prefix}:sentinel:${await epoch()}`;
  let told = false;
  const runId = async () => {
    const info = await redis.info('server').catch((error: unknown) => {
      if (!isDenied(error)) throw error;
      if (!told) logger.warn(WITHOUT_INFO);
      told = true;
      return '';
    });
    return /^run_id:(\S+)/m.exec(info)?.[1] ?? 'unknown';
  };
  return {
    redisWasLost: async () => (await redis.get(await key())) !== (await runId()),
    async beginWalk() {
      const run = await runId();
      return String(await redis.eval(BEGIN, 1, await key(), run, `${run} ${randomUUID()}`));
    },
    async setUp(mark) {
      // The run id at `beginWalk`: after a restart it differs from the server's, even if the key was kept.
      const [run = ''] = mark.split(' ');
      await redis.eval(END, 1, await key(), mark, run);
    },
  };
}
