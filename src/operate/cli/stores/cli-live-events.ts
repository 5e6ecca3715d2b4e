import { auditLiveEvent, type LiveEventBatch, type LiveEvent, liveEventsKey } from '../../../api/face.js';
import { createTeamValueChanges, valueChannel } from '../../../people/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import { messageOf } from '../../../platform/errors.js';
import { createSilentLogger } from '../../../platform/logger.js';
import { createListenedStream } from '../../../platform/redis/listened-stream.js';
import { createRedis, waitUntilRedisReady } from '../../../platform/redis/redis.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { createStoryChanges, NO_STORY_CHANGES, type StoryChanges } from '../../../stories/face.js';
import type { CliConfig } from '../cli-environment.js';

/** A command that has done its work waits no longer than this for a connection to Redis, and for all of it. */
const CONNECT_LIMIT_MS = 1_000;
const PUBLISH_LIMIT_MS = 3_000;

/** Announces to running processes and live streams what a command changed, as the API does. */
export interface CliLiveEvents {
  /** Gathers the stories that the command changes. */
  changes: StoryChanges;
  /**
   * Announces these stories, and these tenants: their audit logs have new entries, and their credentials and resources
   * may have changed. Nothing rests on it: if Redis is unknown or does not respond, processes and readers find the changes
   * when they ask again.
   */
  publish(tenantIds: ReadonlySet<number>, database: Pick<Database, 'read'>): Promise<void>;
}

/** Creates the live events of one command. It connects to Redis when there is something to publish. */
export function createCliLiveEvents(config: CliConfig): CliLiveEvents {
  const logger = createSilentLogger();
  const changed: Parameters<StoryChanges['announce']>[] = [];

  const write = async (
    redis: RedisClient,
    tenantIds: ReadonlySet<number>,
    database: Pick<Database, 'read'>,
  ): Promise<void> => {
    await waitUntilRedisReady(redis, CONNECT_LIMIT_MS);
    if (redis.status !== 'ready') return;
    const { queuePrefix: prefix } = config;
    const items: LiveEvent[] = [];
    const changes = createStoryChanges({
      redis,
      prefix,
      logger,
      liveEvents: { add: (item) => items.push(item) },
    });
    for (const change of changed) await changes.announce(...change);
    const publish = (message: string) => redis.publish(valueChannel(prefix), message);
    const values = createTeamValueChanges({ database, publish, logger });
    for (const tenantId of tenantIds) await values.announce(tenantId);
    const batch: LiveEventBatch = { items: [...items, ...[...tenantIds].map(auditLiveEvent)], lost: 0 };
    const stream = createListenedStream({ redis, key: liveEventsKey(prefix) });
    if (await stream.isListened()) await stream.append(JSON.stringify(batch));
  };

  return {
    changes: {
      ...NO_STORY_CHANGES,
      async announce(...change) {
        changed.push(change);
      },
    },
    async publish(tenantIds, database) {
      if (!config.hasRedis || changed.length + tenantIds.size === 0) return;
      const redis = createRedis(config, 'producer', logger);
      try {
        await withTimeout(write(redis, tenantIds, database), PUBLISH_LIMIT_MS);
      } catch (error) {
        // A failure is no fault of the command: its work is done and recorded.
        logger.debug('could not publish the changes of a command', { error: messageOf(error) });
      } finally {
        redis.disconnect();
      }
    },
  };
}
