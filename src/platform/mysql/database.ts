import knex, { type Knex } from 'knex';
import { messageOf } from '../errors.js';
import type { Logger } from '../logger.js';
import { memoize } from '../runtime/memoize.js';
import { type ConnectionPool, openPool } from './connections/connection-pool.js';
import { type DatabaseTarget, POOL_IDLE_MS, targetsOf } from './connections/connection-settings.js';
import { IdsRefused, NotAsInserted } from './db-errors.js';
import { createDatabaseHosts, type DatabaseHosts } from './hosts/database-hosts.js';
import type { PoolUse } from './hosts/host-pool.js';
import { createIdReserver } from './ids/id-reserver.js';
import { createIdAllocator, type IdAllocator, NO_IDS } from './ids/id-allocator.js';
import { LEAST_PACKET_BYTES } from './statements/insert-rows.js';
import { createCoalescedExists } from './statements/coalesced-exists.js';
import type { ConnectionOptions } from './connections/prepare-connection.js';
import { probeDatabase } from './connections/probe.js';
import { createAvailability } from './connections/availability.js';
import type { Session } from './session.js';

/** For group commits: two writers per process (runs and outcomes), each with a lane for small and one for large items. */
const GROUP_CONNECTIONS = 4;

/** MySQL for this process: one pool, for knex and for hand-written SQL, and a small one for group commits. */
export interface Database {
  knex: Knex;
  /**
   * Runs `work` in one transaction on a connection of its own. A failed transaction is rolled back; after a
   * broken connection or a timeout the connection is destroyed instead (rule 3). `work` is repeated, at most twice, if the
   * server refused reserved ids.
   */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * The same for group commits, for which many callers wait: on connections reserved for them, and without a
   * statement that begins the transaction (decision 0004).
   */
  groupTransaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs `work` on a connection without a transaction. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /**
   * Returns whether an SQL condition holds. Loops that ask at the same time share one statement (decision 0077). A condition is
   * constant SQL of a store, never input.
   */
  exists(condition: string): Promise<boolean>;
  /** Resolves when the server responds. */
  ping(): Promise<void>;
  /** Probes after a connection error: resolves with true if the server does not respond. False if it is not watched. */
  isDown(): Promise<boolean>;
  /** Facts about the server, read once. */
  facts(): Promise<ServerFacts>;
  /** Returns how much of each pool is in use now. */
  use(): { shared: PoolUse; groupCommit: PoolUse; ids: PoolUse };
  /** Returns how many transactions were rolled back because the server reported other rows than were sent. */
  mismatches(): number;
  close(): Promise<void>;
}

export interface ServerFacts {
  maxAllowedPacket: number;
}

export interface DatabaseOptions extends Omit<ConnectionOptions, 'autocommit'>, DatabaseTarget {
  /** Number of connections, besides those of group commits. */
  poolSize: number;
  /** Detects a server that hangs, and then fails everything that waits for it (notes/stores.md, A database that hangs). */
  watched?: boolean;
  /** The hosts that are used, if others than the first that takes writes; closed with the database. */
  hosts?: DatabaseHosts;
}

/** Creates the pools; connections are opened when first needed. */
export function createDatabase(options: DatabaseOptions): Database {
  const { hosts, reach, pool, groupPool, idPool } = openPools(options);
  const ids = createIdAllocator(createIdReserver(idPool, options.logger));
  const transactions = createTransactions(ids, options.logger);
  const read: Database['read'] = (work) => pool.withSession(work, ids);
  const facts = memoize(() => read(readFacts));

  return {
    knex: knex({
      client: 'mysql2',
      connectionPool: pool.source,
      log: quietLog(options.logger),
    } as Knex.Config),
    transaction: transactions.on(pool),
    groupTransaction: transactions.on(groupPool),
    read,
    exists: createCoalescedExists(read),
    ping: async () => void (await read((session) => session.rows('SELECT 1'))),
    isDown: async () => (await reach?.isDown()) ?? false,
    facts,
    use: () => ({ shared: pool.use(), groupCommit: groupPool.use(), ids: idPool.use() }),
    mismatches: transactions.mismatches,
    async close() {
      reach?.close();
      hosts?.close();
      await Promise.all([pool.close(), groupPool.close(), idPool.close()]);
    },
  };
}

function openPools(options: DatabaseOptions) {
  const { logger, watched = false } = options;
  const [target, ...others] = targetsOf(options);
  const isList = others.length > 0;
  const hosts =
    options.hosts ?? (isList ? createDatabaseHosts([target, ...others], { logger, watched }) : undefined);
  const probe = () => hosts?.look() ?? probeDatabase(target);
  const reach = watched ? createAvailability({ probe, logger }) : undefined;
  const common = { ...options, ...target, hosts, reach };
  const kept = { ...common, stirMs: POOL_IDLE_MS / 2 };
  return {
    hosts,
    reach,
    pool: openPool({ ...common, size: options.poolSize }),
    groupPool: openPool({ ...kept, size: GROUP_CONNECTIONS, autocommit: false }),
    idPool: openPool({ ...kept, size: 1, rowLockWaitSeconds: 1 }),
  };
}

/** Runs transactions with reserved ids; counts those in which the server reported different rows. */
function createTransactions(ids: IdAllocator, logger: Logger) {
  let mismatches = 0;
  const tell = (error: unknown): never => {
    if (error instanceof NotAsInserted) {
      mismatches += 1;
      logger.error('the database stored other rows than it was sent', { error: error.message });
    }
    throw error;
  };
  return {
    on:
      (pool: ConnectionPool) =>
      <T>(work: (session: Session) => Promise<T>): Promise<T> =>
        transactWithIds(pool, work, { ids, logger }).catch(tell),
    mismatches: () => mismatches,
  };
}

/** Tries with reserved ids; after them, rows are inserted one by one. */
const TRIES_WITH_RESERVED_IDS = 2;

async function transactWithIds<T>(
  pool: ConnectionPool,
  work: (session: Session) => Promise<T>,
  { ids, logger }: { ids: IdAllocator; logger: Logger },
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const used = tries <= TRIES_WITH_RESERVED_IDS ? ids : NO_IDS;
    try {
      return await pool.withSession((session) => session.transact(() => work(session)), used);
    } catch (error) {
      if (!(error instanceof IdsRefused)) throw error;
      ids.clear();
      logger.info('reserved ids were rejected: retrying the transaction', {
        cause: messageOf(error.cause),
      });
    }
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
