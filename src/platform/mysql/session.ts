import type { PoolConnection, ResultSetHeader } from 'mysql2';
import { CommitUnknown, isConnectionError } from './db-errors.js';
import { inSlices, mapSteps } from '../steps.js';
import { withLargeTexts } from './statements/large-text.js';
import { type IdAllocator, NO_IDS } from './ids/id-allocator.js';
import type { RunResult, SqlValue } from './statements/sql.js';

/** One connection, reserved for a while. For hot paths: prebuilt SQL, no query builder. */
export interface Session {
  /** Ids for rows that are inserted together (rule 6). */
  readonly ids: IdAllocator;
  rows<Row>(sql: string, values?: SqlValue[]): Promise<Row[]>;
  /** Runs INSERT, UPDATE or DELETE. */
  run(sql: string, values?: SqlValue[]): Promise<RunResult>;
  /** Runs an INSERT with one placeholder for its rows. */
  insert(sql: string, rows: SqlValue[][]): Promise<RunResult>;
  /** @throws CommitUnknown when it may have been committed. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** Runs several reads on one snapshot: none of them sees what others commit meanwhile. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  /** Runs statements in a transaction that is rolled back. */
  discard<T>(work: () => Promise<T>): Promise<T>;
  release(): void;
}

export interface SessionOptions {
  autocommit?: boolean;
  /** Absent: rows whose ids must be known are inserted one by one. */
  ids?: IdAllocator | undefined;
}

/**
 * Wraps a pooled connection; the caller must release the session. With `autocommit: false` a transaction begins with its
 * first statement, so that no START TRANSACTION is sent.
 */
export function createSession(
  connection: PoolConnection,
  { autocommit = true, ids = NO_IDS }: SessionOptions = {},
): Session {
  let broken = false;

  const query = <T>(sql: string, values: SqlValue[]): Promise<T> =>
    new Promise((resolve, reject) => {
      connection.query(sql, values, (error, result) => {
        if (error === null) return resolve(result as T);
        broken ||= isConnectionError(error);
        return reject(error);
      });
    });

  const commit = () =>
    query('COMMIT', []).catch((error: unknown) => {
      throw broken ? new CommitUnknown(error) : error;
    });

  const rollBackAfter = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      // Nothing is committed, so no outcome is unknown; if the ROLLBACK fails, the connection is unusable.
      if (!broken) await query('ROLLBACK', []).catch(() => (broken = true));
    }
  };

  const session: Session = {
    ids,
    rows: <Row>(sql: string, values: SqlValue[] = []) => query<Row[]>(sql, values),
    run: (sql, values = []) => query<ResultSetHeader>(sql, withLargeTexts(values)),
    async insert(sql, rows) {
      // The driver escapes all rows at once, which takes long for many.
      const texts = await inSlices(mapSteps(rows, (row) => connection.escape([row])));
      return query<ResultSetHeader>(sql, [{ toSqlString: () => texts.join(', ') }]);
    },
    async transact(work) {
      if (autocommit) await query('START TRANSACTION', []);
      try {
        const result = await work();
        await commit();
        return result;
      } catch (error) {
        if (!broken) await query('ROLLBACK', []).catch(() => (broken = true));
        throw error;
      }
    },
    async snapshot(work) {
      // Applies to the next transaction only.
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', []);
      await query('START TRANSACTION READ ONLY', []);
      return rollBackAfter(work);
    },
    async discard(work) {
      if (autocommit) await query('START TRANSACTION', []);
      return rollBackAfter(work);
    },
    release() {
      // A broken connection may still have an open transaction: it must not be used again.
      if (broken) connection.destroy();
      else connection.release();
    },
  };
  return session;
}
