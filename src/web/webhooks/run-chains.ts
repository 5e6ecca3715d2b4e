import type { IncomingHttpHeaders } from 'node:http';
import type { RunChainMarks } from '../../engine/face.js';
import { AppError, messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';

/** A run that waits longer before it calls the next one begins a new chain: it is no runaway. */
const REMEMBERED_MS = 60_000;
/** Tenants of one chain; those whose runs are fewest are forgotten. */
const MOST_TENANTS = 10;

export interface RunChainsDeps {
  redis: Pick<RedisClient, 'get' | 'set'>;
  prefix: string;
  /** Most runs of one tenant in a chain. */
  most: number;
  marks: Pick<RunChainMarks, 'read'>;
  /** Returns the run whose Send to story started this one; undefined: none did. */
  callerOf: (guid: string) => Promise<string | undefined>;
  logger: Pick<Logger, 'debug'>;
}

export type RunChains = ReturnType<typeof createRunChains>;

/** The number of a tenant's runs in a chain, by its id. */
type Lengths = Record<string, number>;

/**
 * Counts runs that start each other by webhooks, so that a story that calls its own one does not go on for ever. Each
 * tenant's runs count by themselves: a long chain of one is no fault of another that it calls.
 */
export function createRunChains({ redis, prefix, most, marks, callerOf, logger }: RunChainsDeps) {
  const keyOf = (guid: string) => `${prefix}:chain:${guid}`;
  /** Returns what is known of a run's chain, or of that of the run whose story called it. */
  const lengthsUpTo = async (guid: string, tenantId: number): Promise<Lengths> => {
    for (let run: string | undefined = guid; run !== undefined; run = await callerOf(run)) {
      const kept = await redis.get(keyOf(run));
      if (kept !== null) return JSON.parse(kept) as Lengths;
    }
    return { [tenantId]: 1 };
  };
  return {
    /** Counts the run `guid`, which a request starts. @throws AppError 508 if its chain is too long. */
    async follow(
      headers: IncomingHttpHeaders,
      { guid, tenantId }: { guid: string; tenantId: number },
    ): Promise<void> {
      try {
        const caller = await marks.read(headers);
        if (caller === undefined) return;
        const lengths = await lengthsUpTo(caller, tenantId);
        const length = lengths[tenantId] ?? 0;
        if (length >= most) throw new AppError(508, tooLong(most));
        const next = longest({ ...lengths, [tenantId]: length + 1 });
        await redis.set(keyOf(guid), JSON.stringify(next), 'PX', REMEMBERED_MS);
      } catch (error) {
        if (error instanceof AppError) throw error;
        // Without its stores nothing is counted.
        logger.debug('could not determine the chain of a run', { error: messageOf(error) });
      }
    },
  };
}

function longest(lengths: Lengths): Lengths {
  const entries = Object.entries(lengths).toSorted(([, one], [, other]) => other - one);
  return Object.fromEntries(entries.slice(0, MOST_TENANTS));
}

const tooLong = (most: number) =>
  `${most} runs in a row started each other within a minute: this is treated as a runaway loop`;
