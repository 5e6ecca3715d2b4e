import { auditNews, type NewsBatch, type NewsItem, newsKey } from '../../../api/face.js';
import { createValueChanges, valueChannel } from '../../../people/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import { messageOf } from '../../../platform/errors.js';
import { createSilentLogger } from '../../../platform/logger.js';
import { createListenedStream } from '../../../platform/redis/listened-stream.js';
import { createRedis, heardOf } from '../../../platform/redis/redis.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { createStoryChanges, NO_STORY_CHANGES, type StoryChanges } from '../../../stories/face.js';
import type { CliConfig } from '../cli-environment.js';

/** A command that has done its work waits no longer than this for a connection to Redis, and for all of it. */
const CONNECT_LIMIT_MS = 1_000;
const TELL_LIMIT_MS = 3_000;

/** Tells running processes and live streams what a command changed, as the API does. */
export interface CliNews {
  /** Gathers the stories that the command changes. */
  changes: StoryChanges;
  /**
   * Tells of these stories, and of these tenants: their audit logs have new entries, and their credentials and resources
   * may have changed. Nothing rests on it: if Redis is unknown or does not respond, processes and readers find the changes
   * when they ask again.
   */
  tell(tenantIds: ReadonlySet<number>, database: Pick<Database, 'read'>): Promise<void>;
}

/** Creates the news of one command. It connects to Redis when there is something to tell. */
export function createCliNews(config: CliConfig): CliNews {
  const logger = createSilentLogger();
  const changed: Parameters<StoryChanges['announce']>[] = [];

  const write = async (
    redis: RedisClient,
    tenantIds: ReadonlySet<number>,
    database: Pick<Database, 'read'>,
  ): Promise<void> => {
    await heardOf(redis, CONNECT_LIMIT_MS);
    if (redis.status !== 'ready') return;
    const { queuePrefix: prefix } = config;
    const items: NewsItem[] = [];
    const changes = createStoryChanges({ redis, prefix, logger, news: { add: (item) => items.push(item) } });
    for (const change of changed) await changes.announce(...change);
    const publish = (message: string) => redis.publish(valueChannel(prefix), message);
    const values = createValueChanges({ database, publish, logger });
    for (const tenantId of tenantIds) await values.announce(tenantId);
    const batch: NewsBatch = { items: [...items, ...[...tenantIds].map(auditNews)], lost: 0 };
    const stream = createListenedStream({ redis, key: newsKey(prefix) });
    if (await stream.isListened()) await stream.append(JSON.stringify(batch));
  };

  return {
    changes: {
      ...NO_STORY_CHANGES,
      async announce(...change) {
        changed.push(change);
      },
    },
    async tell(tenantIds, database) {
      if (!config.hasRedis || changed.length + tenantIds.size === 0) return;
      const redis = createRedis(config, 'producer', logger);
      try {
        await withTimeout(write(redis, tenantIds, database), TELL_LIMIT_MS);
      } catch (error) {
        // A failure is no fault of the command: its work is done and recorded.
        logger.debug('could not publish the changes of a command', { error: messageOf(error) });
      } finally {
        redis.disconnect();
      }
    },
  };
}
