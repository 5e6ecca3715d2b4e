import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobType, Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { SpooledRun } from '../dispatch/jobs.js';
import { createRedisMemory, troubleOf } from './redis-memory.js';

/** Of Redis's memory: the rest is for jobs, and for what else is in it (rule 17). */
const SHARE = 0.25;
/** What a job takes in Redis besides its data: its other fields, its key, its place in lists (measured: 600, without those that a worker adds). */
const JOB_BYTES = 1024;
/** At most, what a string takes beside its text. */
const STRING_BYTES = 32;
/** Jobs that still have something to say; those that are done are few and small (`KEPT_WHEN_DONE_BYTES` in the spool). */
const HELD: JobType[] = ['wait', 'active', 'failed'];
const COUNT_EVERY_MS = 30_000;
/** Who has been given room has added its job by then, or given up: Redis has a second for a command. */
const UNDER_WAY_MS = 2_000;
const PAGE = 1_000;

/** KEYS: held, counter; ARGV: bytes, limit, ms and name of a count. Gives: taken, held, whether it is time to count. */
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

/** KEYS: held, counter; ARGV: counted, ms. Who came first has said it, and others have added to it. */
const BEGIN = `
if redis.call('SET', KEYS[1], ARGV[1], 'NX') then redis.call('SET', KEYS[2], '', 'PX', ARGV[2]) end
`;

/** KEYS: held, counter; ARGV: counted, held before, name of the count. What was added since then is kept, and may be counted twice. */
const CORRECT = `
if redis.call('GET', KEYS[2]) == ARGV[3] and redis.call('EXISTS', KEYS[1]) == 1 then
  redis.call('INCRBY', KEYS[1], ARGV[1] - ARGV[2])
end
`;

export interface SpoolLevel {
  /** At most: what has left the spool since it was last counted is among them. */
  heldBytes: number;
  limitBytes: number;
}

/** How many bytes of Redis the spool holds, over all processes, and may hold. */
export interface SpoolQuota {
  /**
   * Sets room aside for so many bytes, if there is any. `trouble`: why none is given here, whatever there is. @throws when
   * Redis does not answer.
   */
  take(bytes: number): Promise<SpoolLevel & { taken: boolean; trouble?: string }>;
  /** Why nothing could be spooled in this Redis; undefined: it could. @throws when Redis does not answer. */
  trouble(): Promise<string | undefined>;
  /** Ends a count that is under way. */
  close(): Promise<void>;
}

export interface SpoolQuotaDeps {
  redis: Redis;
  queue: Pick<Queue<SpooledRun>, 'getRanges' | 'toKey'>;
  /** Instead of a share of Redis's memory. */
  maxBytes: number | undefined;
  logger: Logger;
}

/** What a spooled run takes in Redis. */
export function spooledBytes(job: SpooledRun): number {
  return allocated(Buffer.byteLength(JSON.stringify(job)));
}

/** The allocator of Redis has four sizes for each power of two, and gives the next larger one. */
function allocated(dataBytes: number): number {
  const needed = STRING_BYTES + dataBytes;
  const step = 2 ** Math.max(4, Math.floor(Math.log2(needed)) - 2);
  return JOB_BYTES + step * Math.ceil(needed / step);
}

/**
 * One number in Redis, which every process adds to before it adds a job, by a script: so the bound holds over all of them,
 * and costs one command. Nobody takes away from it: the jobs are counted anew when half a minute has passed, by one process.
 * So nothing that happens to a job, or to who works on it, can make the number wrong for longer.
 */
export function createSpoolQuota({ redis, queue, maxBytes, logger }: SpoolQuotaDeps): SpoolQuota {
  const memory = createRedisMemory(redis, logger);
  const heldKey = queue.toKey('held-bytes');
  const counterKey = queue.toKey('held-counter');
  const closing = new AbortController();
  let counting: Promise<void> | undefined;

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
      logger.debug('the spool could not be counted', { error: messageOf(error) });
    });
  };

  return {
    async take(bytes) {
      const { bytes: memoryBytes, keeping } = await memory();
      const limitBytes = maxBytes ?? Math.floor(SHARE * memoryBytes);
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
