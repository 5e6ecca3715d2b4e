import { messageOf } from '../../platform/errors.js';
import type { Logger } from '../../platform/logger.js';
import type { Database } from '../../platform/mysql/database.js';
import { type ChannelListener, listenToChannel } from '../../platform/redis/channel-listener.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { findTeamIdsOf } from './team-store.js';

/** Tells every process that credentials or resources of a tenant were changed. */
export interface ValueChanges {
  /**
   * Call it after COMMIT, before the change is answered. Never fails: processes that do not hear of it see the change
   * within five seconds.
   */
  announce(tenantId: number): Promise<void>;
}

/** For processes that tell nobody. */
export const NO_VALUE_CHANGES: ValueChanges = { announce: () => Promise.resolve() };

/** The channel on which processes receive the ids of teams whose values may have changed. */
export function valueChannel(prefix: string): string {
  return `${prefix}:value-changes`;
}

export interface ValueChangesDeps {
  database: Pick<Database, 'read'>;
  publish: (message: string) => Promise<unknown>;
  logger: Logger;
}

/** Announces to all teams of the tenant, since a value may be shared with each of them. */
export function createTeamValueChanges({ database, publish, logger }: ValueChangesDeps): ValueChanges {
  return {
    async announce(tenantId) {
      try {
        const teamIds = await database.read((session) => findTeamIdsOf(tenantId, session));
        await publish(JSON.stringify(teamIds));
      } catch (error) {
        logger.warn('could not publish a value change', { tenant_id: tenantId, error: messageOf(error) });
      }
    },
  };
}

/** A cache of values by team; `all`: of every team. */
export interface ForgetsTeams {
  forget(teamIds: readonly number[] | 'all'): void;
}

/**
 * Has caches of this process forget the values of teams when they change, and all values when messages may have been missed.
 * `redis` must be a connection for subscriptions.
 */
export function followValueChanges(deps: {
  redis: RedisClient;
  prefix: string;
  caches: readonly ForgetsTeams[];
  logger: Logger;
}): ChannelListener {
  const { redis, prefix, caches, logger } = deps;
  const forget = (teamIds: readonly number[] | 'all') => {
    for (const cache of caches) cache.forget(teamIds);
  };
  const forgetAll = () => forget('all');
  redis.on('ready', forgetAll);
  const listener = listenToChannel({
    redis,
    logger,
    channel: valueChannel(prefix),
    onMessage: (message) => forget(JSON.parse(message) as number[]),
  });
  return {
    async close() {
      redis.off('ready', forgetAll);
      await listener.close();
    },
  };
}
