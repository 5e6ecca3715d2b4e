import type { PoolConnection, ResultSetHeader } from 'mysql2';
import { CommitUnknown, IdStepChanged, isConnectionError } from './db-errors.js';
import { withLargeTexts } from './large-text.js';
import { guardStep, isStepRefused } from './id-step.js';
import type { RunResult, SqlValue } from './sql.js';

/** One connection, reserved for a while. For hot paths: prebuilt SQL, no query builder. */
export interface Session {
  /** Difference between consecutive ids of a multi-row insert (rule 6); undefined: unknown. */
  readonly idStep: number | undefined;
  rows<Row>(sql: string, values?: SqlValue[]): Promise<Row[]>;
  /** Runs INSERT, UPDATE or DELETE. */
  run(sql: string, values?: SqlValue[]): Promise<RunResult>;
  /**
   * Runs an INSERT with one placeholder for its rows.
   * @throws IdStepChanged when there are several rows and the server's step is not `idStep`; nothing is inserted then.
   */
  insert(sql: string, rows: SqlValue[][]): Promise<RunResult>;
  /** @throws CommitUnknown when it may have been committed. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** Runs several reads on one snapshot: none of them sees what others commit meanwhile. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  release(): void;
}

export interface SessionOptions {
  autocommit?: boolean;
  idStep?: number | undefined;
}

/**
 * Wraps a pooled connection; the caller must release the session. With `autocommit: false` a transaction begins with its
 * first statement, so that no START TRANSACTION is sent.
 */
export function createSession(
  connection: PoolConnection,
  { autocommit = true, idStep }: SessionOptions = {},
): Session {
  let broken = false;
  /** True if the server has shown that the cached facts about the connection are no longer valid. */
  let outdated = false;

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

  const session: Session = {
    idStep,
    rows: <Row>(sql: string, values: SqlValue[] = []) => query<Row[]>(sql, values),
    run: (sql, values = []) => query<ResultSetHeader>(sql, withLargeTexts(values)),
    async insert(sql, rows) {
      const guarded = idStep === undefined ? rows : guardStep(rows, idStep);
      try {
        return await query<ResultSetHeader>(sql, [guarded]);
      } catch (error) {
        if (idStep === undefined || !isStepRefused(error)) throw error;
        outdated = true;
        throw new IdStepChanged(error);
      }
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
      try {
        return await work();
      } finally {
        // A read-only transaction cannot have an unknown outcome; if its ROLLBACK fails, the connection is unusable.
        if (!broken) await query('ROLLBACK', []).catch(() => (broken = true));
      }
    },
    release() {
      // A broken connection may still have an open transaction: it must not be used again.
      if (broken || outdated) connection.destroy();
      else connection.release();
    },
  };
  return session;
}
