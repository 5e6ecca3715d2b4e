import type { Redis } from 'ioredis';
import { messageOf } from '../platform/errors.js';
import type { Logger } from '../platform/logger.js';
import { type ChannelListener, listenToChannel } from '../platform/redis/channel-listener.js';
import type { StoryGraphs } from './story-graphs.js';

/** Tells every process that a story is another than it was. */
export interface StoryChanges {
  /** To be called after COMMIT. Never fails: without the hint, processes see the change within five seconds. */
  announce(storyId: number): Promise<void>;
  /**
   * Runs what follows a change that is committed. Never fails: the change holds, and the engine comes to the same
   * by itself, later.
   */
  followUp(storyId: number, work: () => Promise<void>): Promise<void>;
}

/** For who has no Redis (the command line): the five seconds of `StoryGraphs` are good enough. */
export const NO_STORY_CHANGES: StoryChanges = {
  announce: () => Promise.resolve(),
  followUp: (_storyId, work) => work(),
};

/** The channel on which web and worker processes hear of stories that were changed; the message is the id. */
export function storyChannel(prefix: string): string {
  return `${prefix}:story-changes`;
}

/** Announces changes over Redis. What cannot be done is logged. */
export function createStoryChanges(deps: { redis: Redis; prefix: string; logger: Logger }): StoryChanges {
  const attempt = async (storyId: number, message: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      deps.logger.warn(message, { story_id: storyId, error: messageOf(error) });
    }
  };
  return {
    announce: (storyId) =>
      attempt(storyId, 'the change of a story could not be announced', () =>
        deps.redis.publish(storyChannel(deps.prefix), String(storyId)),
      ),
    followUp: (storyId, work) =>
      attempt(storyId, 'what follows the change of a story was left to the engine', work),
  };
}

/** Has the stories of this process follow what is announced. `redis` is a connection for listening. */
export function followStoryChanges(deps: {
  redis: Redis;
  prefix: string;
  graphs: Pick<StoryGraphs, 'invalidate'>;
  logger: Logger;
}): ChannelListener {
  return listenToChannel({
    ...deps,
    channel: storyChannel(deps.prefix),
    onMessage: (message) => deps.graphs.invalidate(Number(message)),
  });
}
