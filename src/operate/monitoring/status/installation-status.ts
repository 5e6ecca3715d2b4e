import type { ForeignKey } from '../../../data/face.js';
import type { RedisClient } from '../../../platform/redis/redis-client.js';
import {
  type LiveProcesses,
  overdueSeconds,
  type QueueFigures,
  type Queues,
  readProcesses,
  readQueueFigures,
  readQueueWorkers,
} from '../../../engine/face.js';
import type { Database } from '../../../platform/mysql/database.js';
import { withTimeout } from '../../../platform/runtime/timeout.js';
import { scheduleLagSeconds } from '../../../stories/face.js';

/** A queue, all its parts together. */
export interface QueueStatus extends QueueFigures {
  /** Workers of the part that has the fewest; null: Redis does not list its connections. */
  workers: number | null;
}

/** The status of stores, queues and processes. Null: it could not be read. */
export interface InstallationStatus {
  mysqlMs: number | null;
  redisMs: number | null;
  relayLagSeconds: number | null;
  scheduleLagSeconds: number | null;
  spool: { heldBytes: number; limitBytes: number } | null;
  queues: QueueStatus[] | null;
  processes: LiveProcesses | null;
  /** Undefined: this process has the key of the database, or none. */
  foreignKey: ForeignKey | undefined | null;
}

export interface InstallationDeps {
  database: Pick<Database, 'read' | 'ping'>;
  redis: RedisClient;
  queues: Queues;
  prefix: string;
  spoolLevel(): Promise<{ heldBytes: number; limitBytes: number }>;
  foreignKey(): Promise<ForeignKey | undefined>;
}

/** Each source is given up after this time. */
const LIMIT_MS = 2_000;

/** Reads all sources at once. One that fails is null. */
export async function readInstallation(deps: InstallationDeps): Promise<InstallationStatus> {
  const { database, redis, queues, prefix } = deps;
  const [mysqlMs, redisMs, relay, schedule, spool, read, processes, foreignKey] = await Promise.all([
    orNull(timed(() => database.ping())),
    orNull(timed(() => redis.ping())),
    orNull(database.read(overdueSeconds)),
    orNull(database.read(scheduleLagSeconds)),
    orNull(deps.spoolLevel()),
    orNull(readQueues(queues, redis)),
    orNull(readProcesses(redis, prefix)),
    orNull(deps.foreignKey()),
  ]);
  return {
    mysqlMs,
    redisMs,
    relayLagSeconds: relay,
    scheduleLagSeconds: schedule,
    spool,
    queues: read,
    processes,
    foreignKey,
  };
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await ask();
  return Math.round(performance.now() - began);
}

/** A source that fails shows in the status: that is how it is told. */
function orNull<T>(reading: Promise<T>): Promise<T | null> {
  return withTimeout(reading, LIMIT_MS).catch(() => null);
}

async function readQueues(queues: Queues, redis: RedisClient): Promise<QueueStatus[]> {
  const [figures, workers] = await Promise.all([readQueueFigures(queues, redis), readQueueWorkers(queues)]);
  return figures.map((each) => ({ ...each, workers: workers.get(each.queue)?.workers ?? null }));
}
