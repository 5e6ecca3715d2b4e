import type { Redis } from 'ioredis';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';

export interface ChannelListener {
  /** Stops listening. The connection stays the caller's. */
  close(): Promise<void>;
}

export interface ChannelListenerOptions {
  /** A connection for listening: one that listens can do nothing else. Several channels may share it. */
  redis: Redis;
  channel: string;
  logger: Logger;
  onMessage(message: string): void;
}

/**
 * Hears the messages of a channel. Messages sent while Redis is away are lost: they may only be hints.
 * Subscribes now and after each reconnection: a subscription that failed is not repeated by the driver.
 */
export function listenToChannel(options: ChannelListenerOptions): ChannelListener {
  const { redis, channel, logger } = options;
  const onMessage = (from: string, message: string) => {
    if (from === channel) options.onMessage(message);
  };
  const subscribe = () => {
    redis.subscribe(channel).catch((error: unknown) => {
      logger.warn('hints are not heard', { channel, error: messageOf(error) });
    });
  };
  redis.on('message', onMessage).on('ready', subscribe);
  if (redis.status === 'ready') subscribe();
  return {
    async close(): Promise<void> {
      redis.off('message', onMessage).off('ready', subscribe);
      if (redis.status !== 'ready') return;
      await redis.unsubscribe(channel).catch((error: unknown) => {
        logger.debug('not unsubscribed', { channel, error: messageOf(error) });
      });
    },
  };
}
