import type { RedisClient } from '../../platform/redis/redis-client.js';
import type { Config } from '../../config/face.js';
import type { LiveProcesses, Queues, SpoolLevel } from '../../engine/face.js';
import type { Database } from '../../platform/mysql/database.js';
import type { DoctorFinding, FindingKind } from './finding.js';
import type { QueueFacts } from './facts/queue-facts.js';

/** Settings or figures of a server by name. */
export type ServerValues = ReadonlyMap<string, string>;

/** Everything that a check of the stores may look at. Shared values are read once in each report. */
export interface StoreContext {
  config: Config;
  database: Pick<Database, 'read' | 'knex'>;
  redis: RedisClient;
  /** Resolves if Redis replies. */
  reachRedis: () => Promise<unknown>;
  queues: Queues;
  /** The variables of the database server, as a session of this program has them. */
  databaseSettings: () => Promise<ServerValues>;
  /** The reply of INFO of each master; undefined if the user may not run it. */
  redisInfo: () => Promise<ServerValues[] | undefined>;
  /** The jobs and workers of each queue. */
  queueFacts: () => Promise<QueueFacts[]>;
  /** The processes that are connected to Redis. */
  processes: () => Promise<LiveProcesses>;
  spoolLevel: () => Promise<SpoolLevel>;
  /** The time of this process, in ms since 1970. */
  nowMs: () => number;
}

/** The environment of this program, as it was given. */
export interface EnvironmentContext {
  env: NodeJS.ProcessEnv;
}

/** Everything that a check of this machine may look at. */
export interface HostContext extends StoreContext, EnvironmentContext {}

/** The store that a check cannot do without. */
export type RequiredStore = 'database' | 'redis';

/** One check: it looks at one matter, and returns what is wrong with it. */
export interface Check<Context> {
  /** Its name in the report if it cannot run: `clock of the database`. */
  name: string;
  needs: readonly RequiredStore[];
  /** Every kind of finding that it may return. */
  kinds: readonly FindingKind[];
  /** Returns the findings; none if all is well. @throws if it cannot run; the report then says so. */
  run(context: Context): Promise<DoctorFinding[]> | DoctorFinding[];
}
