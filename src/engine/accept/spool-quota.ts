import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobType, Queue } from 'bullmq';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { SpooledRun } from '../dispatch/jobs.js';
import { createRedisMemory, troubleOf } from './redis-memory.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** The spool's part of Redis's memory; the rest is for jobs and other data (rule 17). */
const SHARE = 0.25;
/** Memory of a job in Redis besides its data: other fields, key, list entries (measured: 600, before a worker adds more). */
const JOB_BYTES = 1024;
/** Upper bound of a Redis string's overhead. */
const STRING_BYTES = 32;
/** Counted states; completed jobs are few and small (`KEPT_WHEN_DONE_BYTES` in the spool). */
const HELD: JobType[] = ['wait', 'active', 'failed'];
const COUNT_EVERY_MS = 30_000;
/** After this, a process that reserved bytes has added its job or given up: a Redis command times out after a second. */
const UNDER_WAY_MS = 2_000;
const PAGE = 1_000;

/** KEYS: held, counter; ARGV: bytes, limit, ms and name of a count. Returns: taken, held, whether a count is due. */
const TAKE = `
local held = redis.call('GET', KEYS[1])
if not held then return {0, -1, 0} end
local taken = 0
if held + ARGV[1] <= tonumber(ARGV[2]) then
  held = redis.call('INCRBY', KEYS[1], ARGV[1])
  taken = 1
end
local due = redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[3], 'NX') and 1 or 0
return {taken, tonumber(held), due}
`;

/** KEYS: held, counter; ARGV: counted, ms. Sets the number only if no other process did: others may have added to it. */
const BEGIN = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX') then redis.call('SET', KEYS[2], '', 'PX', ARGV[2]) end
`;

/** KEYS: held, counter; ARGV: counted, held before, name of the count. Keeps later additions; these may count twice. */
const CORRECT = `
if redis.call('GET', KEYS[2]) == ARGV[3] and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('INCRBY', KEYS[1], ARGV[1] - ARGV[2])
end
`;

export interface SpoolLevel {
  /** Upper bound: includes jobs that left the spool since the last count. */
  heldBytes: number;
  limitBytes: number;
}

/** The bytes that the spool uses in Redis, over all processes, and their limit. */
export interface SpoolQuota {
  /**
   * Reserves bytes if the limit allows it. `trouble`: why this Redis is not used at all. @throws if Redis does not
   * reply.
   */
  take(bytes: number): Promise<SpoolLevel & { taken: boolean; trouble?: string }>;
  /** Returns what the spool holds now, and its limit; reserves nothing. @throws if Redis does not reply. */
  level(): Promise<SpoolLevel>;
  /** Returns why this Redis cannot be used for the spool; undefined if it can. @throws if Redis does not reply. */
  trouble(): Promise<string | undefined>;
  /** Ends a running count. */
  close(): Promise<void>;
}

export interface SpoolQuotaDeps {
  redis: RedisClient;
  queue: Pick<Queue<SpooledRun>, 'getRanges' | 'toKey'>;
  /** Replaces the limit of `SHARE` of Redis's memory. */
  maxBytes: number | undefined;
  /** The operator's word on eviction, if Redis does not report it. */
  policy?: 'noeviction' | undefined;
  logger: Logger;
}

/** Returns the bytes that a spooled run takes in Redis. */
export function spooledBytes(job: SpooledRun): number {
  return allocated(Buffer.byteLength(stringifyJson(job)));
}

/** The allocator of Redis has four size classes per power of two, and rounds up to the next one. */
function allocated(dataBytes: number): number {
  const needed = STRING_BYTES + dataBytes;
  const step = 2 ** Math.max(4, Math.floor(Math.log2(needed)) - 2);
  return JOB_BYTES + step * Math.ceil(needed / step);
}

/**
 * Each process adds to one number in Redis before it adds a job, with a script: the limit holds over all processes and
 * costs one command. The number is never decremented: every 30 s one process counts the jobs again. So a lost job or
 * process cannot make the number wrong for longer.
 */
export function createSpoolQuota({ redis, queue, maxBytes, policy, logger }: SpoolQuotaDeps): SpoolQuota {
  const memory = createRedisMemory({ redis, policy, logger });
  const heldKey = queue.toKey('held-bytes');
  const counterKey = queue.toKey('held-counter');
  const closing = new AbortController();
  let counting: Promise<void> | undefined;

  const limitOf = (memoryBytes: number) => maxBytes ?? Math.floor(SHARE * memoryBytes);

  const begin = async () => {
    await redis.eval(BEGIN, 2, heldKey, counterKey, await count({ redis, queue }), COUNT_EVERY_MS);
  };

  const correct = async (name: string) => {
    const before = await redis.get(heldKey);
    if (before === null) return;
    await sleep(UNDER_WAY_MS, undefined, { signal: closing.signal });
    const counted = await count({ redis, queue });
    await redis.eval(CORRECT, 2, heldKey, counterKey, counted, before, name);
  };

  const correctAside = (name: string) => {
    counting = correct(name).catch((error: unknown) => {
      logger.debug('could not count the spool', { error: messageOf(error) });
    });
  };

  return {
    async take(bytes) {
      const { bytes: memoryBytes, keeping } = await memory();
      const limitBytes = limitOf(memoryBytes);
      const trouble = troubleOf(keeping);
      if (trouble !== undefined) return { taken: false, heldBytes: 0, limitBytes, trouble };
      const name = randomUUID();
      const ask = () => redis.eval(TAKE, 2, heldKey, counterKey, bytes, limitBytes, COUNT_EVERY_MS, name);
      let [taken, heldBytes, due] = (await ask()) as [number, number, number];
      if (heldBytes < 0) {
        await begin();
        [taken, heldBytes, due] = (await ask()) as [number, number, number];
      }
      if (due === 1) correctAside(name);
      return { taken: taken === 1, heldBytes, limitBytes };
    },
    async level() {
      const [{ bytes: memoryBytes }, held, jobs] = await Promise.all([
        memory(),
        redis.get(heldKey),
        queue.getRanges(HELD, 0, 0, true),
      ]);
      // The number stays as it was when the last job has left: it is counted anew with the next one.
      return { heldBytes: jobs.length === 0 ? 0 : Number(held ?? 0), limitBytes: limitOf(memoryBytes) };
    },
    trouble: async () => troubleOf((await memory()).keeping),
    async close() {
      closing.abort();
      await counting;
    },
  };
}

async function count(deps: Pick<SpoolQuotaDeps, 'redis' | 'queue'>): Promise<number> {
  let bytes = 0;
  for (let start = 0; ; start += PAGE) {
    const ids = await deps.queue.getRanges(HELD, start, start + PAGE - 1, true);
    if (ids.length === 0) return bytes;
    bytes += await bytesOf(ids, deps);
  }
}

async function bytesOf(ids: string[], { redis, queue }: Pick<SpoolQuotaDeps, 'redis' | 'queue'>) {
  const lengths = redis.pipeline();
  for (const id of ids) lengths.hstrlen(queue.toKey(id), 'data');
  const answers = (await lengths.exec()) ?? [];
  return answers.reduce((sum, [error, length]) => {
    if (error !== null) throw error;
    return sum + allocated(Number(length));
  }, 0);
}
