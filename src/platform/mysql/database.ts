import knex, { type Knex } from 'knex';
import type { Logger } from '../logger.js';
import { memoize } from '../runtime/memoize.js';
import { type ConnectionPool, openPool, type PoolUse } from './connection-pool.js';
import { type DatabaseTarget, POOL_IDLE_MS, targetsOf } from './connection-settings.js';
import { IdStepChanged } from './db-errors.js';
import { createDatabaseHosts } from './hosts/database-hosts.js';
import { createStepAlarm } from './id-step.js';
import { LEAST_PACKET_BYTES } from './insert-rows.js';
import type { ConnectionOptions } from './prepare-connection.js';
import { probeDatabase } from './probe.js';
import { createAvailability } from './availability.js';
import type { Session } from './session.js';

/** For group commits: two writers per process (runs and outcomes), each with a lane for small and one for large items. */
const GROUP_CONNECTIONS = 4;

/** MySQL for this process: one pool, for knex and for hand-written SQL, and a small one for group commits. */
export interface Database {
  knex: Knex;
  /**
   * Runs `work` in one transaction on a connection of its own. A failed transaction is rolled back; after a
   * broken connection or a timeout the connection is destroyed instead (rule 3). `work` is repeated, at most twice, if the
   * server's id step has changed.
   */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * The same for group commits, for which many callers wait: on connections reserved for them, and without a
   * statement that begins the transaction (decision 0020).
   */
  groupTransaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs `work` on a connection without a transaction. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Resolves when the server responds. */
  ping(): Promise<void>;
  /** Probes after a connection error: resolves with true if the server does not respond. False if it is not watched. */
  isDown(): Promise<boolean>;
  /** Facts about the server, read once. */
  facts(): Promise<ServerFacts>;
  /** Returns how much of each pool is in use now. */
  use(): { shared: PoolUse; groupCommit: PoolUse };
  close(): Promise<void>;
}

export interface ServerFacts {
  maxAllowedPacket: number;
}

export interface DatabaseOptions extends Omit<ConnectionOptions, 'autocommit'>, DatabaseTarget {
  /** Number of connections, besides those of group commits. */
  poolSize: number;
  /** Detects a server that hangs, and then fails everything that waits for it (decision 0014). */
  watched?: boolean;
}

/** Creates the pools; connections are opened when first needed. */
export function createDatabase(options: DatabaseOptions): Database {
  const { logger, watched = false } = options;
  const [target, ...others] = targetsOf(options);
  const hosts = others.length > 0 ? createDatabaseHosts([target, ...others], { logger, watched }) : undefined;
  const probe = () => hosts?.look() ?? probeDatabase(target);
  const reach = watched ? createAvailability({ probe, logger }) : undefined;
  const pool = openPool({ ...options, ...target, size: options.poolSize, reach, hosts });
  const groupPool = openPool({
    ...options,
    ...target,
    hosts,
    size: GROUP_CONNECTIONS,
    stirMs: POOL_IDLE_MS / 2,
    reach,
    autocommit: false,
  });

  const read: Database['read'] = (work) => pool.withSession(work);
  const facts = memoize(() => read(readFacts));
  const alarm = createStepAlarm(options.logger);
  const transactOn =
    (used: ConnectionPool) =>
    <T>(work: (session: Session) => Promise<T>) =>
      transactWithIds(used, work, alarm);

  return {
    knex: knex({
      client: 'mysql2',
      connectionPool: pool.driver,
      log: quietLog(options.logger),
    } as Knex.Config),
    transaction: transactOn(pool),
    groupTransaction: transactOn(groupPool),
    read,
    ping: async () => void (await read((session) => session.rows('SELECT 1'))),
    isDown: async () => (await reach?.isDown()) ?? false,
    facts,
    use: () => ({ shared: pool.use(), groupCommit: groupPool.use() }),
    async close() {
      reach?.close();
      hosts?.close();
      await Promise.all([pool.close(), groupPool.close()]);
    },
  };
}

/** Tries with the id step of the connection, then with that of a new one; then without relying on it. */
const TRIES_WITH_STEP = 2;

async function transactWithIds<T>(
  pool: ConnectionPool,
  work: (session: Session) => Promise<T>,
  alarm: ReturnType<typeof createStepAlarm>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const singly = tries > TRIES_WITH_STEP;
    try {
      return await pool.withSession((session) => session.transact(() => work(session)), { singly });
    } catch (error) {
      if (!(error instanceof IdStepChanged)) throw error;
    }
    pool.renew();
    if (tries < TRIES_WITH_STEP) alarm.changed();
    else alarm.keepsChanging();
  }
}

/** Logs knex messages at debug level only: the caller receives the error anyway. */
function quietLog(logger: Logger): Knex.Logger {
  const tell = (said: unknown) => logger.debug('knex', { said: String(said) });
  return { debug: tell, warn: tell, error: tell, deprecate: (method) => tell(`${method} is deprecated`) };
}

async function readFacts(session: Session): Promise<ServerFacts> {
  const [row] = await session.rows<{ packet: number }>('SELECT @@max_allowed_packet AS packet');
  if (row === undefined) throw new Error('The database returned no row for its settings');
  if (row.packet < LEAST_PACKET_BYTES) {
    throw new Error(
      `The database's max_allowed_packet is ${row.packet} bytes; it must be ${LEAST_PACKET_BYTES} at least`,
    );
  }
  return { maxAllowedPacket: row.packet };
}
