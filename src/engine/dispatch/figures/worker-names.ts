import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { askMasters } from '../../../platform/redis/masters.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';

/** The name of this host, in characters that a name in Redis may have. */
export const HOST_NAME = hostname().replaceAll(/[^\w.-]/g, '_');

/** Returns a new id of this process; process ids and names of hosts alone come again. */
export function newProcessId(): string {
  return `${HOST_NAME}:${process.pid}:${randomBytes(4).toString('hex')}`;
}

/**
 * Returns the name of a worker. Redis lists it with the worker's connection, and with each job that the worker runs: it tells how
 * many jobs the worker runs at once, and its process.
 */
export function workerName(jobsAtOnce: number, processId: string): string {
  return `jobs-${jobsAtOnce}@${processId}`;
}

/** Returns the number in a `workerName`, which stands at the end of the connection's name. */
export function slotsOf(connection: string | undefined): number | undefined {
  const [, jobs] = /:w:jobs-(\d+)@\S+$/.exec(connection ?? '') ?? [];
  return jobs === undefined ? undefined : Number(jobs);
}

/** Returns the process in a `workerName`; undefined for a name of another form. */
export function processOf(worker: string | undefined): string | undefined {
  return /^jobs-\d+@(\S+)$/.exec(worker ?? '')?.[1];
}

/**
 * Returns the processes whose workers have a connection to Redis: one that stands still has some, unlike one that was killed.
 * Undefined if that cannot be told: Redis does not list its connections, or not those of `own`, which is a process with workers.
 */
export async function connectedProcesses(
  redis: RedisClient,
  own: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const lists = await askMasters(redis, (server) => server.client('LIST'));
    const found = lists.flatMap((list) =>
      [...String(list).matchAll(CONNECTION)].flatMap(([, id]) => id ?? []),
    );
    return found.includes(own) ? new Set(found) : undefined;
  } catch {
    return undefined;
  }
}

const CONNECTION = / name=\S+:w:jobs-\d+@(\S+)/g;
