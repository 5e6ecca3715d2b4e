import type { PoolConnection, ResultSetHeader } from 'mysql2';
import { CommitUnknown, isConnectionError } from './db-errors.js';

/** A value that can stand in a statement's place holder. */
export type SqlValue = string | number | boolean | Date | Buffer | null | SqlValue[];

/** One connection, held for a while. For hot paths: prebuilt SQL, no query builder. */
export interface Session {
  rows<Row>(sql: string, values?: SqlValue[]): Promise<Row[]>;
  /** Runs INSERT, UPDATE or DELETE. */
  run(sql: string, values?: SqlValue[]): Promise<{ affectedRows: number; insertId: number }>;
  /** @throws CommitUnknown when it may have been committed. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** For several statements that read what belongs together: what others commit meanwhile is seen by none of them. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  release(): void;
}

/**
 * Wraps a pooled connection; whoever made the session releases it. Where the connection does not commit each statement by
 * itself (`autocommit: false`), a transaction begins with its first statement, and no other is sent for that.
 */
export function createSession(
  connection: PoolConnection,
  { autocommit = true }: { autocommit?: boolean } = {},
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

  const session: Session = {
    rows: <Row>(sql: string, values: SqlValue[] = []) => query<Row[]>(sql, values),
    run: (sql, values = []) => query<ResultSetHeader>(sql, values),
    async transact(work) {
      if (autocommit) await query('START TRANSACTION', []);
      try {
        const result = await work();
        await query('COMMIT', []).catch((error: unknown) => {
          throw broken ? new CommitUnknown(error) : error;
        });
        return result;
      } catch (error) {
        if (!broken) await query('ROLLBACK', []).catch(() => (broken = true));
        throw error;
      }
    },
    async snapshot(work) {
      // Of the next transaction alone.
      await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ', []);
      await query('START TRANSACTION READ ONLY', []);
      try {
        return await work();
      } finally {
        // There is nothing to commit, so its end cannot be unknown; a connection that does not take it is of no use.
        if (!broken) await query('ROLLBACK', []).catch(() => (broken = true));
      }
    },
    release() {
      // A broken connection may still hold a transaction: it must not serve anybody else.
      if (broken) connection.destroy();
      else connection.release();
    },
  };
  return session;
}
