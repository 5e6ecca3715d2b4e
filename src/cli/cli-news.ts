import { auditNews, type NewsBatch, newsKey } from '../engine/state/news-item.js';
import { messageOf } from '../platform/errors.js';
import { createSilentLogger } from '../platform/logger.js';
import { createListenedStream } from '../platform/redis/listened-stream.js';
import { createRedis, heardOf } from '../platform/redis/redis.js';
import type { CliConfig } from './cli-environment.js';

/** A command that has done its work waits no longer than this for Redis. */
const CONNECT_LIMIT_MS = 1_000;

/**
 * Tells live streams that the audit logs of these tenants have new entries, as the API does. Nothing rests on it: if Redis
 * is unknown or does not respond, readers find the entries when they ask again.
 */
export async function tellAuditLogs(config: CliConfig, tenantIds: ReadonlySet<number>): Promise<void> {
  if (!config.hasRedis || tenantIds.size === 0) return;
  const logger = createSilentLogger();
  const redis = createRedis(config, 'producer', logger);
  try {
    await heardOf(redis, CONNECT_LIMIT_MS);
    if (redis.status !== 'ready') return;
    const stream = createListenedStream({ redis, key: newsKey(config.queuePrefix) });
    const batch: NewsBatch = { items: [...tenantIds].map(auditNews), lost: 0 };
    if (await stream.isListened()) await stream.append(JSON.stringify(batch));
  } catch (error) {
    // A failure is no fault of the command: its work is done and recorded.
    logger.debug('a new entry of the audit log could not be told', { error: messageOf(error) });
  } finally {
    redis.disconnect();
  }
}
