import knex, { type Knex } from 'knex';
import { createPool, type Pool, type PoolConnection } from 'mysql2';
import type { Logger } from '../logger.js';
import { memoize } from '../memoize.js';
import { driverOptions, POOL_IDLE_MS } from './connection-settings.js';
import { prepareConnection } from './prepare-connection.js';
import { LEAST_PACKET_BYTES } from './insert-rows.js';
import { probeDatabase } from './probe.js';
import { createReach, type Reach } from './reach.js';
import { createSession, type Session } from './session.js';

/** MySQL as the process sees it: one pool, for knex and for the hand-written hot paths alike. */
export interface Database {
  knex: Knex;
  /**
   * Runs `work` in one transaction on a connection of its own. A failed transaction is rolled back; after a
   * broken connection or a time-out the connection is destroyed instead (rule 3).
   */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Runs `work` on a connection without a transaction. */
  read<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** Resolves when the server answers. */
  ping(): Promise<void>;
  /** Whether the server answers nobody, asked now; after an error of a connection. False where it is not watched. */
  isDown(): Promise<boolean>;
  /** Facts of the server, read once. */
  facts(): Promise<ServerFacts>;
  close(): Promise<void>;
}

export interface ServerFacts {
  /** Distance of two ids given out by one multi-row insert (rule 6). */
  idStep: number;
  maxAllowedPacket: number;
}

export interface DatabaseOptions {
  url: string;
  poolSize: number;
  logger: Logger;
  /** Of one statement. Migrations need longer than the default. */
  statementTimeoutMs?: number;
  /** How long a change of a table waits for those who use it; for ever unless given. */
  lockWaitSeconds?: number;
  /** Whether a server that hangs is found out, and all that waits for it fails at once (decision 0014). */
  watched?: boolean;
}

/** Opens the pool; connections are made when they are first needed. */
export function createDatabase(options: DatabaseOptions): Database {
  const pool = createPool({
    ...driverOptions(options.url),
    connectionLimit: options.poolSize,
    maxIdle: Math.max(1, options.poolSize - 1),
    idleTimeout: POOL_IDLE_MS,
    queueLimit: 10_000,
  });
  const reach =
    options.watched === true
      ? createReach({ probe: () => probeDatabase(options.url), logger: options.logger })
      : undefined;
  pool.on('connection', (connection) => prepareConnection(connection, options, reach));
  if (reach !== undefined) guardWaiting(pool, reach);

  const withSession = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    const session = createSession(await acquire(pool));
    try {
      return await work(session);
    } finally {
      session.release();
    }
  };
  const read: Database['read'] = (work) => withSession(work);
  const facts = memoize(() => read(readFacts));

  return {
    knex: knex({ client: 'mysql2', connectionPool: pool, log: quietLog(options.logger) } as Knex.Config),
    transaction: (work) => withSession((session) => session.transact(() => work(session))),
    read,
    ping: async () => void (await read((session) => session.rows('SELECT 1'))),
    isDown: async () => (await reach?.isDown()) ?? false,
    facts,
    close: () => {
      reach?.close();
      return new Promise((resolve, reject) => pool.end((error) => (error ? reject(error) : resolve())));
    },
  };
}

/** What knex would print: whoever asked is told of an error, so it is no news of its own. */
function quietLog(logger: Logger): Knex.Logger {
  const tell = (said: unknown) => logger.debug('knex', { said: String(said) });
  return { debug: tell, warn: tell, error: tell, deprecate: (method) => tell(`${method} is deprecated`) };
}

function acquire(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
  });
}

/** Who waits for a connection while the database is found not to answer waits no longer. */
function guardWaiting(pool: Pool, reach: Reach): void {
  const getConnection = pool.getConnection.bind(pool);
  pool.getConnection = (callback) => {
    let given = false;
    const end = reach.begin((error) => {
      given = true;
      callback(error, undefined as unknown as PoolConnection);
    });
    if (given) return;
    getConnection((error, connection) => {
      end(false);
      if (!given) callback(error, connection);
      else if (error === null) connection.release();
    });
  };
}

async function readFacts(session: Session): Promise<ServerFacts> {
  const [row] = await session.rows<{ step: number; packet: number }>(
    'SELECT @@auto_increment_increment AS step, @@max_allowed_packet AS packet',
  );
  if (row === undefined) throw new Error('The database gave no answer to a question about its settings');
  if (row.packet < LEAST_PACKET_BYTES) {
    throw new Error(
      `The database's max_allowed_packet is ${row.packet} bytes; it must be ${LEAST_PACKET_BYTES} at least`,
    );
  }
  return { idStep: row.step, maxAllowedPacket: row.packet };
}
