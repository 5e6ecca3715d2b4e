import type { PoolConnection, ResultSetHeader } from 'mysql2';
import { CommitUnknown, IdStepChanged, isConnectionError, RowsMissed } from './db-errors.js';
import { withLargeTexts } from './large-text.js';
import { isStepRefused } from './id-step.js';
import { isRowsMissed, type Packet, packetsOf, resultsOf } from './multi-statement.js';
import type { RunResult, SqlValue, Statement } from './sql.js';

/** One connection, held for a while. For hot paths: prebuilt SQL, no query builder. */
export interface Session {
  /** Distance of two ids that one multi-row insert gives out (rule 6); undefined: not to be relied on. */
  readonly idStep: number | undefined;
  rows<Row>(sql: string, values?: SqlValue[]): Promise<Row[]>;
  /** Runs INSERT, UPDATE or DELETE. */
  run(sql: string, values?: SqlValue[]): Promise<RunResult>;
  /**
   * Runs statements in their order, as far as possible in one trip; after one that fails, none. Those that come last in a
   * transaction (`isLast`) may be committed in the same trip.
   * @throws RowsMissed when one did not meet as many rows as it must; IdStepChanged; CommitUnknown.
   */
  runAll(statements: Statement[], options?: { isLast?: boolean }): Promise<void>;
  /** @throws CommitUnknown when it may have been committed. */
  transact<T>(work: () => Promise<T>): Promise<T>;
  /** For several statements that read what belongs together: what others commit meanwhile is seen by none of them. */
  snapshot<T>(work: () => Promise<T>): Promise<T>;
  release(): void;
}

export interface SessionOptions {
  autocommit?: boolean;
  multiple?: boolean;
  idStep?: number | undefined;
}

/**
 * Wraps a pooled connection; whoever made the session releases it. Where the connection does not commit each statement by
 * itself (`autocommit: false`), a transaction begins with its first statement, and no other is sent for that. Where it takes
 * several statements at once (`multiple: true`), those that are known together are sent together.
 */
export function createSession(
  connection: PoolConnection,
  { autocommit = true, multiple = false, idStep }: SessionOptions = {},
): Session {
  let broken = false;
  /** Whether the server has shown that what is known of the connection no longer holds. */
  let outdated = false;
  /** Whether the transaction under way has sent its COMMIT. */
  let isEnding = false;

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

  const runPackets = async (statements: Statement[], isLast: boolean) => {
    for (const packet of packetsOf(statements, { commit: isLast })) {
      isEnding ||= packet.commits;
      await runPacket(packet, query).catch((error: unknown) => {
        throw packet.commits && broken ? new CommitUnknown(error) : error;
      });
    }
  };

  const session: Session = {
    idStep,
    rows: <Row>(sql: string, values: SqlValue[] = []) => query<Row[]>(sql, values),
    run: (sql, values = []) => query<ResultSetHeader>(sql, withLargeTexts(values)),
    async runAll(statements, { isLast = false } = {}) {
      try {
        await (multiple ? runPackets(statements, isLast) : runInTurn(statements, query));
      } catch (error) {
        if (idStep === undefined || !isStepRefused(error)) throw error;
        outdated = true;
        throw new IdStepChanged(error);
      }
    },
    async transact(work) {
      if (autocommit) await query('START TRANSACTION', []);
      isEnding = false;
      try {
        const result = await work();
        if (!isEnding) await commit();
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
      if (broken || outdated) connection.destroy();
      else connection.release();
    },
  };
  return session;
}

type Query = <T>(sql: string, values: SqlValue[]) => Promise<T>;

async function runPacket({ sql, values, statements }: Packet, query: Query): Promise<void> {
  const results = await query<RunResult | RunResult[]>(sql, values).catch((error: unknown) => {
    throw isRowsMissed(error) ? new RowsMissed() : error;
  });
  const inOrder = resultsOf(results);
  for (const { statement, place } of statements) statement.onRan?.(inOrder[place] as RunResult);
}

async function runInTurn(all: Statement[], query: Query): Promise<void> {
  for (const { sql, values, rows, onRan } of all) {
    const result = await query<ResultSetHeader>(sql, values);
    if (rows !== undefined && result.affectedRows !== rows) throw new RowsMissed();
    onRan?.(result);
  }
}
