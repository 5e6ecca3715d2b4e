import { randomUUID } from 'node:crypto';
import { isCluster, type RedisClient } from '../../platform/redis/redis-client.js';
import type { Logger } from '../../platform/logger.js';
import { memoizeFor } from '../../platform/runtime/memoize.js';
import { bullPrefix } from '../dispatch/parts/queue-part.js';
import type { Queues } from '../dispatch/queues.js';

/** Stands for the run id if the user may not read it. */
const UNKNOWN = 'unknown';
const WITHOUT_INFO = 'this Redis user cannot run INFO: a flushed Redis is detected, a restarted one is not';

/** Time for which the parts of the queues are taken as known. */
const PARTS_MS = 15_000;

/** Sets `run` to the id of the server that runs the script; empty: the user may not read it. */
const RUN_ID = `
local info = redis.pcall('INFO', 'server')
local run = type(info) == 'string' and string.match(info, 'run_id:(%w+)') or ''
`;

/** KEYS: sentinel. Returns: its value, the server's run id. */
const READ = `
${RUN_ID}
return {redis.call('GET', KEYS[1]), run}
`;

/** KEYS: sentinel; ARGV: mark. Returns run id and mark. Keeps a value of this Redis run: another walk has set it. */
const BEGIN = `
${RUN_ID}
if run == '' then run = '${UNKNOWN}' end
local held = redis.call('GET', KEYS[1])
if held and string.sub(held, 1, #run) == run then return held end
local mark = run .. ' ' .. ARGV[1]
redis.call('SET', KEYS[1], mark)
return mark
`;

/** KEYS: sentinel; ARGV: mark, run id. */
const END = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2]) end
`;

/**
 * Detects that Redis does not hold the jobs of this database: Redis was emptied or restarted (rule 11), a replica took over
 * from its master, or the database was restored.
 */
export interface RedisLossDetector {
  /** Returns true until `setUp`. @throws if Redis does not reply. */
  redisWasLost(): Promise<boolean>;
  /** To be called before a walk over all pending deliveries; returns marks for `setUp`. */
  beginWalk(): Promise<string[]>;
  /** All jobs exist again. If Redis was lost once more since these marks, it still counts as lost. */
  setUp(marks: string[]): Promise<void>;
}

export interface RedisLossDetectorDeps {
  redis: RedisClient;
  prefix: string;
  queues: Pick<Queues, 'known'>;
  epoch: () => Promise<string>;
  logger: Logger;
}

/**
 * Returns a sentinel of one key: its name contains the database's epoch, its value is Redis's `run_id`. FLUSHALL deletes
 * the key, a restart changes the `run_id`, a restore of the database the epoch. If the user may not read the id, only the
 * key counts. During a walk the value also contains a mark. In a cluster each part of a queue has such a key in its own slot:
 * the master that serves the part replies with its own id.
 */
export function createRedisLossDetector(deps: RedisLossDetectorDeps): RedisLossDetector {
  const { redis, prefix, epoch, logger } = deps;
  const placesOf = isCluster(redis)
    ? memoizeFor(PARTS_MS, async () => (await deps.queues.known()).map((part) => bullPrefix(prefix, part)))
    : () => Promise.resolve([prefix]);
  let told = false;

  const atEach = async <Reply>(work: (key: string, index: number) => Promise<Reply>): Promise<Reply[]> => {
    const [name, places] = await Promise.all([epoch(), placesOf()]);
    return Promise.all(places.map((place, index) => work(`${place}:sentinel:${name}`, index)));
  };

  const wasLostAt = async (key: string): Promise<boolean> => {
    const [held, run] = (await redis.eval(READ, 1, key)) as [string | null, string];
    if (run === '' && !told) {
      told = true;
      logger.warn(WITHOUT_INFO);
    }
    return held !== (run === '' ? UNKNOWN : run);
  };

  return {
    redisWasLost: async () => (await atEach(wasLostAt)).includes(true),
    async beginWalk() {
      return atEach(async (key) => String(await redis.eval(BEGIN, 1, key, randomUUID())));
    },
    async setUp(marks) {
      // The run id at `beginWalk`: after a restart it differs from the server's, even if the key was kept.
      await atEach((key, index) => {
        const [mark = '', run = ''] = [marks[index], marks[index]?.split(' ')[0]];
        return redis.eval(END, 1, key, mark, run);
      });
    },
  };
}
