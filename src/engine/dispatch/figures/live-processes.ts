import { askMasters } from '../../../platform/redis/masters.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import type { Logger } from '../../../platform/logger.js';
import { productVersion } from '../../../platform/outbound/product-version.js';
import { loopUntil } from '../../../platform/runtime/background-loop.js';
import { type PartCounts, partsText, spreadQueues } from '../parts/queue-part.js';
import { HOST_NAME } from './worker-names.js';

/** How often a process gives a sign. */
const SIGN_MS = 10_000;
/** A process without a sign for this long stands still. */
const SILENT_SECONDS = 30;

/** A process that is connected and gives no sign. */
export interface SilentProcess {
  /** `web`, `all`, `trigger`, `maintenance` … */
  role: string;
  host: string;
  pid: number;
  /** Jobs that it had in hand at its last sign. */
  jobs: number;
  silentSeconds: number;
}

/** The processes that are connected to Redis. */
export interface LiveProcesses {
  /** How many have each version. */
  versions: ReadonlyMap<string, number>;
  /** How many have each `QUEUE_PARTS` (`http-request=4`; empty: one part for each queue). */
  parts: ReadonlyMap<string, number>;
  silent: SilentProcess[];
}

/**
 * Returns the name under which Redis lists the connection of this process; it tells the version, and the queues that this
 * process spreads: `fabula:process:0.11.0:http-request=4`.
 */
export function processName(prefix: string, parts: PartCounts = {}): string {
  return nameOf(prefix, parts, []);
}

/** `own`: role, host, process id and jobs in hand of a process that gives signs. */
function nameOf(prefix: string, parts: PartCounts, own: readonly (string | number)[]): string {
  const told = spreadQueues(parts).map((queue) => partsText(parts, queue));
  const more = told.length === 0 && own.length === 0 ? [] : [told.join(','), ...own];
  return [prefix, 'process', productVersion(), ...more].join(':');
}

export interface SignDeps {
  redis: RedisClient;
  prefix: string;
  parts: PartCounts;
  role: string;
  /** Returns how many jobs the process has in hand. */
  jobs: () => number;
  logger: Logger;
}

/**
 * Gives a sign every ten seconds until the signal aborts: the connection gets a name that also tells role, host, process id and
 * the jobs in hand. Redis itself knows how long ago the last sign of each connection was.
 */
export function giveSigns(
  { redis, prefix, parts, role, jobs, logger }: SignDeps,
  signal: AbortSignal,
): Promise<void> {
  const pass = async (): Promise<number> => {
    const name = nameOf(prefix, parts, [role, HOST_NAME, process.pid, jobs()]);
    if (redis.status === 'ready') await askMasters(redis, (server) => server.client('SETNAME', name));
    return SIGN_MS;
  };
  return loopUntil(signal, {
    pass,
    restAfterErrorMs: SIGN_MS,
    failure: 'Redis received no heartbeat',
    logger,
  });
}

/** Returns the processes that are connected. @throws if Redis does not reply. */
export async function readProcesses(redis: RedisClient, prefix: string): Promise<LiveProcesses> {
  const lists = await askMasters(redis, (server) => server.client('LIST'));
  const connections = lists.map((list) => connectionsIn(String(list), `${prefix}:process:`));
  return {
    versions: countMost(connections, ({ version }) => version),
    parts: countMost(connections, ({ parts }) => parts),
    silent: silentAmong(connections.flat()),
  };
}

/** A connection of a process; without a role it is one that gives no signs, such as a command. */
interface Connection {
  version: string;
  parts: string;
  role: string | undefined;
  host: string;
  pid: number;
  jobs: number;
  idleSeconds: number;
}

const NAME = /(?:^| )name=(\S+)/;
const IDLE = /(?:^| )idle=(\d+)/;

function connectionsIn(list: string, begin: string): Connection[] {
  return list.split('\n').flatMap((line) => {
    const name = NAME.exec(line)?.[1] ?? '';
    if (!name.startsWith(begin)) return [];
    const [version = '', parts = '', role, host = '', pid, jobs] = name.slice(begin.length).split(':');
    const idleSeconds = Number(IDLE.exec(line)?.[1] ?? 0);
    return [{ version, parts, role, host, pid: Number(pid), jobs: Number(jobs), idleSeconds }];
  });
}

/** A process may have a connection to each master of a cluster: the master with most of them counts. */
function countMost(lists: Connection[][], key: (connection: Connection) => string): Map<string, number> {
  const most = new Map<string, number>();
  for (const connections of lists) {
    const counts = new Map<string, number>();
    for (const each of connections) counts.set(key(each), (counts.get(key(each)) ?? 0) + 1);
    for (const [found, count] of counts) most.set(found, Math.max(count, most.get(found) ?? 0));
  }
  return most;
}

/** The last sign of a process counts, whatever connection it came by. */
function silentAmong(connections: Connection[]): SilentProcess[] {
  const last = new Map<string, Connection>();
  for (const each of connections) {
    const key = `${each.host}:${each.pid}`;
    const known = last.get(key);
    if (known === undefined || each.idleSeconds < known.idleSeconds) last.set(key, each);
  }
  return [...last.values()].flatMap(({ role, host, pid, jobs, idleSeconds }) =>
    role === undefined || idleSeconds < SILENT_SECONDS
      ? []
      : [{ role, host, pid, jobs, silentSeconds: idleSeconds }],
  );
}
