import { readKeys } from '../platform/redis/by-slot.js';
import type { RedisClient } from '../platform/redis/redis-client.js';
import type { LogLevel } from '../platform/log-level.js';
import { type LogComponent, LOG_COMPONENT_NAMES } from './log-components.js';

/** A level of one component that ends by itself. */
export interface KeptLevel {
  level: LogLevel;
  endsAt: Date;
}

export type KeptLevels = ReadonlyMap<LogComponent, KeptLevel>;

export interface KeptLevelsDeps {
  redis: Pick<RedisClient, 'get' | 'mget' | 'set' | 'del'>;
  /** The first part of the names of keys. */
  prefix: string;
}

const WRITTEN = /^(error|warn|info|debug) (\S+)$/;

/**
 * The levels that hold for a time, in Redis, which deletes each when its time is over. All processes read them. They are
 * lost with Redis: then the usual levels hold.
 */
export function createKeptLevels({ redis, prefix }: KeptLevelsDeps) {
  const keyOf = (component: LogComponent) => `${prefix}:log-level:${component}`;
  return {
    /** Returns the levels whose time is not over. @throws when Redis does not respond. */
    async read(): Promise<KeptLevels> {
      const texts = await readKeys(redis, LOG_COMPONENT_NAMES.map(keyOf));
      return new Map(
        LOG_COMPONENT_NAMES.flatMap((component, index) => {
          const [, level, endsAt = ''] = WRITTEN.exec(texts[index] ?? '') ?? [];
          return level === undefined
            ? []
            : [[component, { level: level as LogLevel, endsAt: new Date(endsAt) }]];
        }),
      );
    },

    /** Replaces the level of a component; undefined ends it. @throws when Redis does not respond. */
    async write(component: LogComponent, kept: KeptLevel | undefined): Promise<void> {
      if (kept === undefined) return void (await redis.del(keyOf(component)));
      const text = `${kept.level} ${kept.endsAt.toISOString()}`;
      await redis.set(keyOf(component), text, 'PX', Math.max(1, kept.endsAt.getTime() - Date.now()));
    },
  };
}

export type KeptLevelStore = ReturnType<typeof createKeptLevels>;
