import type { RedisClient } from '../../platform/redis/redis-client.js';
import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import { type ChannelListener, listenToChannel } from '../../platform/redis/channel-listener.js';
import type { LiveEvents } from '../../api/face.js';
import type { StoryOwner } from '../story/story-place-store.js';
import type { StoryGraphs } from '../graph/story-graphs.js';

/** Notifies every process of changed stories. */
export interface StoryChanges {
  /**
   * Call it after COMMIT; `gone`: the story was deleted, and whose it was. Never fails: without the notification, processes
   * see the change within five seconds.
   */
  announce(storyId: number, gone?: StoryOwner): Promise<void>;
  /**
   * Runs the work that follows a committed change. Never fails: the change stays committed, and the engine does the
   * same work later by itself.
   */
  followUp(storyId: number, work: () => Promise<void>): Promise<void>;
}

/** For processes without Redis: `StoryGraphs` reads the change within five seconds. */
export const NO_STORY_CHANGES: StoryChanges = {
  announce: () => Promise.resolve(),
  followUp: (_storyId, work) => work(),
};

/** The channel on which web and worker processes receive the ids of changed stories. */
export function storyChannel(prefix: string): string {
  return `${prefix}:story-changes`;
}

export interface StoryChangesDeps {
  redis: RedisClient;
  prefix: string;
  logger: Logger;
  /** Optional: receives changes too. */
  liveEvents?: Pick<LiveEvents, 'add'>;
}

/** Announces changes over Redis; failures are logged. */
export function createStoryChanges(deps: StoryChangesDeps): StoryChanges {
  const attempt = async (storyId: number, message: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      deps.logger.warn(message, { story_id: storyId, error: messageOf(error) });
    }
  };
  return {
    async announce(storyId, gone) {
      deps.liveEvents?.add({ kind: 'story_changed', storyId, at: Date.now(), gone });
      await attempt(storyId, 'could not publish a story change', () =>
        deps.redis.publish(storyChannel(deps.prefix), String(storyId)),
      );
    },
    followUp: (storyId, work) =>
      attempt(storyId, 'follow-up work of a story change failed; the engine will retry it', work),
  };
}

/** Invalidates the cached stories of this process when they change. `redis` must be a connection of its own. */
export function followStoryChanges(deps: {
  redis: RedisClient;
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
