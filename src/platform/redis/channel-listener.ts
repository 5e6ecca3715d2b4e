import type { RedisClient } from './redis-client.js';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';

export interface ChannelListener {
  /** Stops listening. The caller still owns the connection. */
  close(): Promise<void>;
}

/** Listens to channels that change. */
export interface ChannelSet extends ChannelListener {
  /** Listens to one more channel; as many calls of `leave` end that. */
  join(channel: string): void;
  leave(channel: string): void;
}

export interface ChannelSetOptions {
  /** A connection in subscriber mode, which accepts no other commands. Several sets and listeners may share it. */
  redis: RedisClient;
  logger: Logger;
  onMessage(message: string): void;
}

export interface ChannelListenerOptions extends ChannelSetOptions {
  channel: string;
}

/** Receives the messages of a channel (see `listenToChannels`). */
export function listenToChannel({ channel, ...options }: ChannelListenerOptions): ChannelListener {
  const channels = listenToChannels(options);
  channels.join(channel);
  return channels;
}

/**
 * Receives the messages of all channels that were joined. Messages sent while Redis is unreachable are lost: they may only be
 * hints. Subscribes now and after each reconnection: the driver does not repeat a failed subscription.
 */
export function listenToChannels(options: ChannelSetOptions): ChannelSet {
  const { redis, logger } = options;
  const joined = new Map<string, number>();

  const receive = (from: string, message: string) => {
    if (joined.has(from)) options.onMessage(message);
  };
  const subscribe = (channels: string[]) => {
    if (channels.length === 0) return;
    redis.subscribe(...channels).catch((error: unknown) => {
      logger.warn('cannot subscribe to a Redis channel', { channels, error: messageOf(error) });
    });
  };
  const unsubscribe = async (channels: string[]) => {
    if (redis.status !== 'ready' || channels.length === 0) return;
    await redis.unsubscribe(...channels).catch((error: unknown) => {
      logger.debug('cannot unsubscribe from a Redis channel', { channels, error: messageOf(error) });
    });
  };
  const subscribeAll = () => subscribe([...joined.keys()]);
  redis.on('message', receive).on('ready', subscribeAll);

  return {
    join(channel) {
      const before = joined.get(channel) ?? 0;
      joined.set(channel, before + 1);
      if (before === 0 && redis.status === 'ready') subscribe([channel]);
    },
    leave(channel) {
      const left = (joined.get(channel) ?? 0) - 1;
      if (left > 0) joined.set(channel, left);
      else if (joined.delete(channel)) void unsubscribe([channel]);
    },
    async close() {
      redis.off('message', receive).off('ready', subscribeAll);
      const channels = [...joined.keys()];
      joined.clear();
      await unsubscribe(channels);
    },
  };
}
