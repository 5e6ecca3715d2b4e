import type { IncomingHttpHeaders } from 'node:http';
import { AppError, messageOf } from '../platform/errors.js';
import { RUN_CHAIN_HEADER } from '../agents/run-chain-header.js';
import type { Logger } from '../platform/logger.js';
import type { RedisClient } from '../platform/redis/redis-client.js';

/** A run that waits longer before it calls the next one begins a new chain: it is no runaway. */
const REMEMBERED_MS = 60_000;
const GUID = /^[0-9a-f-]{36}$/;

export interface RunChainsDeps {
  redis: Pick<RedisClient, 'get' | 'set'>;
  prefix: string;
  /** Most runs in a row of which each calls the webhook that starts the next. */
  most: number;
  logger: Pick<Logger, 'debug'>;
}

export type RunChains = ReturnType<typeof createRunChains>;

/** Counts runs that start each other by webhooks, so that a story that calls its own one does not go on for ever. */
export function createRunChains({ redis, prefix, most, logger }: RunChainsDeps) {
  const keyOf = (guid: string) => `${prefix}:chain:${guid}`;
  /** Without Redis nothing is counted. */
  const lengthUpTo = async (caller: string): Promise<number> => {
    try {
      return Number((await redis.get(keyOf(caller))) ?? 1);
    } catch (error) {
      logger.debug('the chain of a run is not known', { error: messageOf(error) });
      return 1;
    }
  };
  return {
    /** Counts the run `guid`, which a request starts. @throws AppError 508 if its chain is too long. */
    async follow(headers: IncomingHttpHeaders, guid: string): Promise<void> {
      const caller = headers[RUN_CHAIN_HEADER];
      if (typeof caller !== 'string' || !GUID.test(caller)) return;
      const length = await lengthUpTo(caller);
      if (length >= most) throw new AppError(508, tooLong(most));
      await redis.set(keyOf(guid), length + 1, 'PX', REMEMBERED_MS).catch((error: unknown) => {
        logger.debug('the chain of a run is not kept', { error: messageOf(error) });
      });
    },
  };
}

const tooLong = (most: number) =>
  `${most} runs in a row were started each by the one before, within a minute: this counts as a runaway loop`;
