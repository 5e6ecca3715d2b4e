import type { RedisServer } from './redis-server.js';

/** Redis servers that work together, and that a test may hurt. */
export interface ServersUnderTest {
  /** For `REDIS_URL`. */
  redisUrl: string;
  servers: RedisServer[];
  /** How many masters there are while all is well. */
  expectedMasters: number;
  /** The servers that are masters now, by their own word; a silent one is none. */
  masters(): Promise<RedisServer[]>;
  /** Whether all of them work together again, as at the start. */
  isWhole(): Promise<boolean>;
  /** Empties all masters. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the servers that are masters by their own word. */
export async function mastersOf(servers: RedisServer[]): Promise<RedisServer[]> {
  const isMaster = await Promise.all(servers.map((server) => server.isMaster()));
  return servers.filter((_, index) => isMaster[index] === true);
}
