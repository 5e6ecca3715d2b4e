import type { Connection } from 'mysql2';
import type { Logger } from '../../logger.js';
import { type DatabaseTarget, targetsOf } from '../connections/connection-settings.js';
import { createDatabase, type Database } from '../database.js';
import { createDatabaseHosts } from '../hosts/database-hosts.js';
import { queryColumn, createProbe, type HostProbe, type HostState } from '../hosts/host-probe.js';
import { HEARTBEAT_ROW, createReplicationHeartbeat } from './replication-heartbeat.js';

const TELL_EVERY_MS = 1_000;
const LONGEST_PACE_MS = 1_000;
/** The heartbeat and the probe of the replica each make it seem older by up to their interval: together half of the allowed lag. */
const PACES_IN_LAG = 4;
/** After the start, a replica gets this time in addition before it is told to lag. */
const START_MS = 5_000;

export interface ReadReplicaTarget extends DatabaseTarget {
  /** The database that takes writes. */
  main: Pick<Database, 'transaction'>;
  poolSize: number;
  /** The replica is not used if its lag may be longer, in ms. */
  maxLagMs: number;
  logger: Logger;
}

/** A replica for reads that may miss what was committed in the last seconds (decision 0070). */
export interface ReadReplica {
  database: Database;
  /** Whether the host that is used has everything that was committed more than `maxLagMs` ago. */
  isUsable(): boolean;
  /** For how many ms back commits may be missing; undefined if the host does not respond, or that is unknown. */
  stalenessMs(): number | undefined;
  /** Call it before the main database closes. */
  close(): Promise<void>;
}

/** Opens a read replica: the first of its hosts that keeps up is used. Read-only hosts are welcome. */
export function openReadReplica({
  main,
  maxLagMs,
  logger,
  poolSize,
  url,
  tls,
}: ReadReplicaTarget): ReadReplica {
  const everyMs = Math.min(LONGEST_PACE_MS, maxLagMs / PACES_IN_LAG);
  const heartbeat = createReplicationHeartbeat(main, everyMs, logger);
  /** The number that each host has shown last. */
  const seen = new Map<string, number>();
  const stalenessOf = (target: DatabaseTarget) => {
    const shown = seen.get(target.url);
    return shown === undefined ? undefined : heartbeat.stalenessOf(shown);
  };
  const stateOf = (target: DatabaseTarget): HostState => {
    const staleness = stalenessOf(target);
    if (staleness !== undefined && staleness <= maxLagMs) return { kind: 'serving' };
    return { kind: 'behind', reason: 'it lags' };
  };
  const probeOf = (target: DatabaseTarget): HostProbe => {
    const probe = createProbe(target, async (connection) => {
      seen.set(target.url, await shownBy(connection));
      return stateOf(target);
    });
    return {
      ...probe,
      async look() {
        const state = await probe.look();
        if (state.kind !== 'serving' && state.kind !== 'behind') seen.delete(target.url);
        return state;
      },
    };
  };
  const hosts = createDatabaseHosts(targetsOf({ url, tls }), { logger, watched: true, probeOf, everyMs });
  const database = createDatabase({ url, tls, poolSize, logger, hosts, watched: true });
  const stalenessMs = () => stalenessOf(hosts.current());
  const isUsable = () => stateOf(hosts.current()).kind === 'serving';
  void hosts.chosen();
  const stopTelling = tellChanges({ isUsable, stalenessMs, logger, patienceMs: maxLagMs + START_MS });
  return {
    database,
    isUsable,
    stalenessMs,
    async close() {
      stopTelling();
      await heartbeat.close();
      await database.close();
    },
  };
}

async function shownBy(connection: Connection): Promise<number> {
  const value = await queryColumn(
    connection,
    `SELECT value FROM settings WHERE name = '${HEARTBEAT_ROW}'`,
    'value',
  );
  return value === 'undefined' ? 0 : Number(value);
}

interface Told extends Pick<ReadReplica, 'isUsable' | 'stalenessMs'> {
  logger: Logger;
  /** Nothing is logged for this time while the replica has not been usable yet, in ms. */
  patienceMs: number;
}

/** Logs once each time that the replica becomes usable, or stops being so. */
function tellChanges({ isUsable, stalenessMs, logger, patienceMs }: Told): () => void {
  const startedAt = performance.now();
  let told: boolean | undefined;
  const timer = setInterval(() => {
    const usable = isUsable();
    const isStarting = told === undefined && performance.now() - startedAt < patienceMs;
    if (usable === told || (isStarting && !usable)) return;
    told = usable;
    const details = { staleness_ms: stalenessMs() };
    if (usable) logger.info('lists are read through DATABASE_READ_URL', details);
    else
      logger.warn(
        'lists are read from the primary database: the replica at DATABASE_READ_URL lags or is unreachable',
        details,
      );
  }, TELL_EVERY_MS).unref();
  return () => clearInterval(timer);
}
