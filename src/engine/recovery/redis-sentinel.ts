import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Logger } from '../../platform/logger.js';
import { isDenied } from '../accept/redis-replies.js';

const WITHOUT_INFO =
  'this user of Redis may not give INFO: that Redis was emptied is noticed, that it was started anew is not';

/** KEYS: sentinel; ARGV: run id, mark. Who walks already, or has, since this run began has set it: that is kept. */
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
 * Notices that Redis does not hold the jobs of this database: it was emptied, or started anew (rule 11), or the database
 * was restored beside it.
 */
export interface RedisSentinel {
  /** True until `setUp`. @throws when Redis does not answer. */
  redisWasLost(): Promise<boolean>;
  /** To be called before all jobs are looked for; gives a mark for `setUp`. */
  beginWalk(): Promise<string>;
  /** All jobs are there, unless Redis was lost once more since that mark: then it still counts as lost. */
  setUp(mark: string): Promise<void>;
}

/**
 * A key that bears the database's epoch and holds the server's `run_id`: the key goes with FLUSHALL, the id changes with a
 * restart, the epoch with a restore. Where the user may not ask for the id, the key alone counts. While jobs are looked for it holds a mark besides, which goes with FLUSHALL too.
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
      // The run of then: after a restart it is not the server's, whether the key was lost or not.
      const [run = ''] = mark.split(' ');
      await redis.eval(END, 1, await key(), mark, run);
    },
  };
}
