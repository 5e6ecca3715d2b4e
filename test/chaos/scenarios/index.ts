import type { Scenario } from '../scenario.js';
import type { Topology } from '../topology.js';
import { agentDeleted } from './agent-deleted.js';
import { allKilled, everythingKilled } from './all-killed.js';
import { bothDown, bothFrozen } from './both-down.js';
import { clockJump } from './clock-jump.js';
import { diskFull } from './disk-full.js';
import { mysqlFrozen, redisFrozen, workerFrozen } from './frozen.js';
import { duplicatedJobs, garbageJobs } from './jobs.js';
import { GALERA_SCENARIOS } from './galera/index.js';
import { GROUP_SCENARIOS } from './group-replication/index.js';
import { largeBodies } from './large-bodies.js';
import { mysqlLocks } from './mysql-locks.js';
import { mysqlGone, mysqlRestarted } from './mysql-lost.js';
import { commitAnswersLost, connectionsCut } from './mysql-network.js';
import { poisonEvent } from './poison-event.js';
import { processesKilled } from './processes-killed.js';
import { PROXY_SCENARIOS } from './proxy/index.js';
import { quiet } from './quiet.js';
import { redisKilledSpooling } from './redis-killed-spooling.js';
import {
  redisMasterFrozen,
  redisMasterKilled,
  redisMasterKilledSpooling,
  redisMastersKilledInTurn,
} from './redis-masters.js';
import { redisSlowFsync, redisSlowFsyncAlways } from './redis-slow-fsync.js';
import { redisEmptied, redisFlushed, redisFull, redisRestarted } from './redis-lost.js';
import { restoredFromDump } from './restored-from-dump.js';
import { rolled } from './rolled.js';
import { startedWithoutStores } from './started-without-stores.js';
import { wideExplode } from './wide-explode.js';
import { workerKilledTwice } from './worker-killed-twice.js';

/** THE list of scenarios, in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  quiet,
  processesKilled,
  allKilled,
  everythingKilled,
  startedWithoutStores,
  rolled,
  restoredFromDump,
  workerKilledTwice,
  redisFrozen,
  mysqlFrozen,
  workerFrozen,
  redisFlushed,
  redisEmptied,
  redisRestarted,
  redisFull,
  mysqlRestarted,
  mysqlGone,
  bothDown,
  bothFrozen,
  mysqlLocks,
  connectionsCut,
  commitAnswersLost,
  diskFull,
  duplicatedJobs,
  garbageJobs,
  agentDeleted,
  redisKilledSpooling,
  redisSlowFsync,
  redisSlowFsyncAlways,
  largeBodies,
  wideExplode,
  clockJump,
  poisonEvent,
];

const REDIS_SERVERS: readonly Scenario[] = [
  quiet,
  processesKilled,
  redisMasterKilled,
  redisMastersKilledInTurn,
  redisMasterFrozen,
  redisMasterKilledSpooling,
  mysqlGone,
];

/** The scenarios of stores that stand as several servers. */
export const SCENARIOS_OF: Readonly<Record<Exclude<Topology, 'lone'>, readonly Scenario[]>> = {
  galera: GALERA_SCENARIOS,
  proxy: PROXY_SCENARIOS,
  'group-replication': GROUP_SCENARIOS,
  'redis-cluster': REDIS_SERVERS,
  'redis-sentinel': REDIS_SERVERS,
};
