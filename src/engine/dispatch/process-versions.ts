import { askMasters } from '../../platform/redis/masters.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { productVersion } from '../../platform/outbound/product-version.js';

const NAME = /(?:^| )name=(\S+)/;

/** Returns the name under which Redis lists the connection of this process; it tells the version. */
export function processName(prefix: string): string {
  return `${prefix}:process:${productVersion()}`;
}

/**
 * Counts the live processes of each version. Processes of 0.6 and earlier do not tell. A process may have a connection to each
 * master of a cluster: the master with most of them counts. @throws if Redis does not reply.
 */
export async function readProcessVersions(redis: RedisClient, prefix: string): Promise<Map<string, number>> {
  const lists = await askMasters(redis, (server) => server.client('LIST'));
  const most = new Map<string, number>();
  for (const list of lists) {
    for (const [version, count] of countVersions(String(list), `${prefix}:process:`)) {
      most.set(version, Math.max(count, most.get(version) ?? 0));
    }
  }
  return most;
}

function countVersions(connections: string, begin: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of connections.split('\n')) {
    const name = NAME.exec(line)?.[1] ?? '';
    if (!name.startsWith(begin)) continue;
    const version = name.slice(begin.length);
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return counts;
}
