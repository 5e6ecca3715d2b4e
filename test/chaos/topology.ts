import { startRedisCluster } from '../support/redis-cluster.js';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import type { ServersUnderTest } from '../support/servers-under-test.js';

/** THE list of ways in which the stores of the suite stand: one of each, or one of them as several servers. */
const TOPOLOGIES = ['lone', 'galera', 'redis-cluster', 'redis-sentinel'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

/** Starts the Redis servers of a topology; undefined: it has but one. */
export async function startRedisServers(topology: Topology): Promise<ServersUnderTest | undefined> {
  if (topology === 'redis-cluster') return startRedisCluster();
  return topology === 'redis-sentinel' ? startRedisSentinels() : undefined;
}

/** Gives the topology of this name. */
export function topologyNamed(name: string): Topology {
  const found = TOPOLOGIES.find((topology) => topology === name);
  if (found === undefined) throw new Error(`There is no topology ${name}: ${TOPOLOGIES.join(', ')}`);
  return found;
}
