import { askMasters } from '../../platform/redis/masters.js';
import type { RedisClient } from '../../platform/redis/redis-client.js';
import { productVersion } from '../../platform/outbound/product-version.js';
import { type PartCounts, partsText, spreadQueues } from './parts/queue-part.js';

const NAME = /(?:^| )name=(\S+)/;

/**
 * Returns the name under which Redis lists the connection of this process; it tells the version, and the queues that this
 * process spreads: `fabula:process:0.11.0:http-request=4`.
 */
export function processName(prefix: string, parts: PartCounts = {}): string {
  const told = spreadQueues(parts).map((queue) => partsText(parts, queue));
  const name = `${prefix}:process:${productVersion()}`;
  return told.length === 0 ? name : `${name}:${told.join(',')}`;
}

/**
 * Counts the live processes of each version. Processes of 0.6 and earlier do not tell. A process may have a connection to each
 * master of a cluster: the master with most of them counts. @throws if Redis does not reply.
 */
export function readProcessVersions(redis: RedisClient, prefix: string): Promise<Map<string, number>> {
  return countProcesses(redis, prefix, ([version = '']) => version);
}

/**
 * Counts the live processes of each `QUEUE_PARTS` (`http-request=4`; empty: one part for each queue), as `readProcessVersions`
 * does. @throws if Redis does not reply.
 */
export function readProcessParts(redis: RedisClient, prefix: string): Promise<Map<string, number>> {
  return countProcesses(redis, prefix, ([, parts = '']) => parts);
}

/** Counts the live processes by what `key` returns for what a name tells. */
async function countProcesses(
  redis: RedisClient,
  prefix: string,
  key: (told: string[]) => string,
): Promise<Map<string, number>> {
  const lists = await askMasters(redis, (server) => server.client('LIST'));
  const most = new Map<string, number>();
  for (const list of lists) {
    for (const [found, count] of countNames(String(list), `${prefix}:process:`, key)) {
      most.set(found, Math.max(count, most.get(found) ?? 0));
    }
  }
  return most;
}

function countNames(
  connections: string,
  begin: string,
  key: (told: string[]) => string,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of connections.split('\n')) {
    const name = NAME.exec(line)?.[1] ?? '';
    if (!name.startsWith(begin)) continue;
    const found = key(name.slice(begin.length).split(':'));
    counts.set(found, (counts.get(found) ?? 0) + 1);
  }
  return counts;
}
