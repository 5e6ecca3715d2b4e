import { randomUUID } from 'node:crypto';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { bullPrefix, SPOOL } from '../../../engine/face.js';
import { messageOf } from '../../../platform/errors.js';
import type { Check, StoreContext } from '../check.js';
import { findingIf, type FindingKind } from '../finding.js';

const RIGHTS: FindingKind = {
  id: 'redis.rights',
  severity: 'error',
  why: 'Queues, scripts and messages between processes need these commands, keys and channels.',
  remedy: 'ACL SETUSER … ~QUEUE_PREFIX* ~{QUEUE_PREFIX* &QUEUE_PREFIX* +@all -@dangerous +INFO +CLIENT +KEYS',
};
/** Keys that are left after a failure disappear after this time. */
const KEEP_MS = 10_000;

const SCRIPT = "return redis.call('HSET', KEYS[1], 'field', 'value')";

/** Whether the user may do what queues need. Each command is tried on a key of its own, which is deleted again. */
export const redisRightsCheck: Check<StoreContext> = {
  name: 'Redis permissions',
  needs: ['redis'],
  kinds: [RIGHTS],
  async run({ redis, config: { queuePrefix } }) {
    const refused = await refusedCommands(redis, queuePrefix);
    return findingIf(refused.length > 0, RIGHTS, `Redis denies: ${refused.join('; ')}.`);
  },
};

/**
 * Returns the commands that queues need and that Redis refuses, each with the reason: `EVAL (command)`.
 * @throws if Redis does not reply.
 */
export async function refusedCommands(redis: RedisClient, prefix: string): Promise<string[]> {
  const own = `${prefix}:doctor:${randomUUID()}`;
  const ofQueue = `${bullPrefix(prefix, SPOOL)}:doctor:${randomUUID()}`;
  const refusals = [
    ...(await refusalsOf(commandsOn(redis, own, prefix))),
    ...(await refusalsOf(commandsOn(redis, ofQueue, prefix))),
  ];
  return [...new Set(refusals)];
}

/** One command of each kind that queues, rate limits and messages use, in an order that leaves no key behind. */
function commandsOn(redis: RedisClient, key: string, prefix: string): Record<string, () => Promise<unknown>> {
  const [hash, list, set, stream] = ['h', 'l', 'z', 's'].map((part) => `${key}:${part}`) as [
    string,
    string,
    string,
    string,
  ];
  return {
    SET: () => redis.set(key, '1', 'PX', KEEP_MS),
    GET: () => redis.get(key),
    EVAL: () => redis.eval(SCRIPT, 1, hash),
    HMGET: () => redis.hmget(hash, 'field'),
    LPUSH: () => redis.lpush(list, '1'),
    RPOPLPUSH: () => redis.rpoplpush(list, list),
    LRANGE: () => redis.lrange(list, 0, 0),
    ZADD: () => redis.zadd(set, 1, 'member'),
    BZPOPMIN: () => redis.bzpopmin(set, 1),
    XADD: () => redis.xadd(stream, '*', 'field', 'value'),
    XTRIM: () => redis.xtrim(stream, 'MAXLEN', 0),
    PEXPIRE: () => Promise.all([hash, list, stream].map((each) => redis.pexpire(each, KEEP_MS))),
    WAIT: () => redis.wait(0, 1),
    PUBLISH: () => redis.publish(`${prefix}:doctor`, ''),
    'CLIENT LIST': () => redis.client('LIST'),
    DEL: () => Promise.all([key, hash, list, set, stream].map((each) => redis.del(each))),
  };
}

/** Returns the names of the commands that Redis refuses, each with the reason. @throws for any other failure. */
async function refusalsOf(commands: Record<string, () => Promise<unknown>>): Promise<string[]> {
  const refusals: string[] = [];
  for (const [name, command] of Object.entries(commands)) {
    try {
      await command();
    } catch (error) {
      const message = messageOf(error);
      if (!/^NOPERM|^ERR unknown command/.test(message)) throw error;
      refusals.push(`${name} (${reasonIn(message)})`);
    }
  }
  return refusals;
}

function reasonIn(message: string): string {
  if (message.includes('channel')) return 'channel';
  return message.includes('key') ? 'key' : 'command';
}
