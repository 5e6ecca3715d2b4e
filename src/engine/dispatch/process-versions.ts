import type { Redis } from 'ioredis';
import { productVersion } from '../../platform/outbound/product-version.js';

const NAME = /(?:^| )name=(\S+)/;

/** Returns the name under which Redis lists the connection of this process; it tells the version. */
export function processName(prefix: string): string {
  return `${prefix}:process:${productVersion()}`;
}

/** Counts the live processes of each version. Processes of 0.6 and earlier do not tell. @throws if Redis does not reply. */
export async function readProcessVersions(redis: Redis, prefix: string): Promise<Map<string, number>> {
  const connections = String(await redis.client('LIST'));
  const begin = `${prefix}:process:`;
  const counts = new Map<string, number>();
  for (const line of connections.split('\n')) {
    const name = NAME.exec(line)?.[1] ?? '';
    if (!name.startsWith(begin)) continue;
    const version = name.slice(begin.length);
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return counts;
}
