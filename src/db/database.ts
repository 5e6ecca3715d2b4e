import knex, { type Knex } from 'knex';
import { createPool, type Pool, type PoolConnection } from 'mysql2';
import type { Logger } from '../logger.js';
import {
  driverOptions,
  POOL_IDLE_MS,
  SESSION_STATEMENTS,
  STATEMENT_TIMEOUT_MS,
} from './connection-settings.js';
import { LEAST_PACKET_BYTES } from './insert-rows.js';
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
  pool.on('connection', (connection) => prepare(connection, options));

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
    knex: knex({ client: 'mysql2', connectionPool: pool } as Knex.Config),
    transaction: (work) => withSession((session) => session.transact(() => work(session))),
    read,
    ping: async () => void (await read((session) => session.rows('SELECT 1'))),
    facts,
    close: () => new Promise((resolve, reject) => pool.end((error) => (error ? reject(error) : resolve()))),
  };
}

function acquire(pool: Pool): Promise<PoolConnection> {
  return new Promise((resolve, reject) => {
    pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)));
  });
}

/** Sets the session, and gives every statement of this connection a time-out. */
function prepare(connection: PoolConnection, options: DatabaseOptions): void {
  const timeout = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const query = connection.query.bind(connection) as (...args: unknown[]) => unknown;
  const timed = (first: unknown, ...rest: unknown[]) => {
    if (typeof first === 'string') return query({ sql: first, timeout }, ...rest);
    return query(Object.assign({ timeout }, first), ...rest);
  };
  connection.query = timed as typeof connection.query;
  connection.on('error', (error) =>
    options.logger.debug('database connection lost', { error: error.message }),
  );
  for (const statement of SESSION_STATEMENTS) {
    connection.query(statement, (error: Error | null) => {
      if (error) connection.destroy();
    });
  }
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

/** Remembers the first success; a failure is forgotten, so that the next caller asks again. */
function memoize<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
