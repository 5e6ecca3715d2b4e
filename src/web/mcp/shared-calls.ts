import { messageOf } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Logger } from '../../platform/logger.js';
import { type ChannelListener, listenToChannel } from '../../platform/redis/channel-listener.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { type CallName, createRunningCalls, type RunningCalls } from './running-calls.js';

export interface SharedCallsDeps {
  redis: Pick<RedisClient, 'publish'>;
  /** A connection for subscriptions. */
  subscriber: RedisClient;
  prefix: string;
  logger: Logger;
}

/**
 * Creates the running calls of a process that can be cancelled through any process. Without Redis only those of the process
 * that gets the message are cancelled.
 */
export function createSharedCalls(deps: SharedCallsDeps): RunningCalls & ChannelListener {
  const { redis, subscriber, prefix, logger } = deps;
  const channel = `${prefix}:mcp-cancelled`;
  const local = createRunningCalls();
  const listener = listenToChannel({
    redis: subscriber,
    logger,
    channel,
    onMessage: (message) => void local.cancel(parseJson(message) as unknown as CallName),
  });
  return {
    begin: local.begin,
    cancel(name) {
      if (local.cancel(name)) return;
      redis.publish(channel, stringifyJson(name)).catch((error: unknown) => {
        logger.warn('could not notify other processes of a cancelled call', { error: messageOf(error) });
      });
    },
    close: () => listener.close(),
  };
}
