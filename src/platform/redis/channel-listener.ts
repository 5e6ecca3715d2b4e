import type { RedisClient } from './redis-client.js';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';

export interface ChannelListener {
  /** Stops listening. The caller still owns the connection. */
  close(): Promise<void>;
}

export interface ChannelListenerOptions {
  /** A connection in subscriber mode, which accepts no other commands. Several channels may share it. */
  redis: RedisClient;
  channel: string;
  logger: Logger;
  onMessage(message: string): void;
}

/**
 * Receives the messages of a channel. Messages sent while Redis is unreachable are lost: they may only be hints.
 * Subscribes now and after each reconnection: the driver does not repeat a failed subscription.
 */
export function listenToChannel(options: ChannelListenerOptions): ChannelListener {
  const { redis, channel, logger } = options;
  const onMessage = (from: string, message: string) => {
    if (from === channel) options.onMessage(message);
  };
  const subscribe = () => {
    redis.subscribe(channel).catch((error: unknown) => {
      logger.warn('cannot subscribe to a Redis channel', { channel, error: messageOf(error) });
    });
  };
  redis.on('message', onMessage).on('ready', subscribe);
  if (redis.status === 'ready') subscribe();
  return {
    async close(): Promise<void> {
      redis.off('message', onMessage).off('ready', subscribe);
      if (redis.status !== 'ready') return;
      await redis.unsubscribe(channel).catch((error: unknown) => {
        logger.debug('cannot unsubscribe from a Redis channel', { channel, error: messageOf(error) });
      });
    },
  };
}
