import { startGalera } from '../support/galera/galera.js';
import { startGroup } from '../support/group-replication/group.js';
import { startHaproxy } from '../support/haproxy/haproxy.js';
import { startRedisCluster } from '../support/redis-cluster.js';
import { startRedisSentinels } from '../support/redis-sentinels.js';
import type { ServersUnderTest } from '../support/servers-under-test.js';

/** THE list of ways in which the stores of the suite stand: one of each, or one of them as several servers. */
const TOPOLOGIES = [
  'lone',
  'galera',
  'proxy',
  'group-replication',
  'redis-cluster',
  'redis-sentinel',
] as const;
export type Topology = (typeof TOPOLOGIES)[number];

const SEVERAL_DATABASES: readonly Topology[] = ['galera', 'proxy', 'group-replication'];

/** Returns true if the database is one server, in which the suite has all rights. */
export function hasOneDatabase(topology: Topology): boolean {
  return !SEVERAL_DATABASES.includes(topology);
}

/** Starts the Redis servers of a topology; undefined: it has but one. */
export async function startRedisServers(topology: Topology): Promise<ServersUnderTest | undefined> {
  if (topology === 'redis-cluster') return startRedisCluster();
  return topology === 'redis-sentinel' ? startRedisSentinels() : undefined;
}

/**
 * Starts the database servers of a topology that has several; each of them is there in its own topology only. `searchPath` says where to look for a MySQL with group replication; all else is where Debian has it.
 */
export async function startDatabaseServers(topology: Topology, searchPath: string) {
  const group = topology === 'group-replication' ? await startGroup(searchPath) : undefined;
  const galera = topology === 'galera' || topology === 'proxy' ? await startGalera() : undefined;
  const proxy = topology === 'proxy' && galera !== undefined ? await startHaproxy(galera.nodes) : undefined;
  return {
    group,
    galera,
    proxy,
    /** The address of the whole; undefined: there is one server. */
    url: proxy?.url ?? galera?.urlOfAll() ?? group?.urlOfAll(),
    async close(): Promise<void> {
      await proxy?.close();
      await galera?.close();
      await group?.close();
    },
  };
}

/** Gives the topology of this name. */
export function topologyNamed(name: string): Topology {
  const found = TOPOLOGIES.find((topology) => topology === name);
  if (found === undefined) throw new Error(`There is no topology ${name}: ${TOPOLOGIES.join(', ')}`);
  return found;
}

/** Returns what a scenario of this topology needs. @throws Error in another topology. */
export function needed<T>(part: T | undefined, topology: Topology): T {
  if (part === undefined) throw new Error(`This scenario needs --topology ${topology}`);
  return part;
}
