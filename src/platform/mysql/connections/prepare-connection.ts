import type { EventEmitter } from 'node:events';
import type { PoolConnection } from 'mysql2';
import type { Logger } from '../../logger.js';
import { messageOf } from '../../errors.js';
import {
  CAUSAL_READS,
  NOT_FOR_CAUSAL_READS,
  SESSION_STATEMENTS,
  STATEMENT_TIMEOUT_MS,
} from './connection-settings.js';
import { streamOf } from './connection-stream.js';
import { createLinkedList } from '../../runtime/linked-list.js';
import type { Availability } from './availability.js';

/** Settings of each connection of a pool. */
export interface ConnectionOptions {
  logger: Logger;
  /** Timeout of one statement. Migrations need more than the default. */
  statementTimeoutMs?: number;
  /** How long an ALTER TABLE waits for users of the table; default: the server's setting. */
  lockWaitSeconds?: number;
  /** How long a statement waits for a row lock, instead of the time in `SESSION_STATEMENTS`. */
  rowLockWaitSeconds?: number;
  /** If true, each statement outside a transaction commits by itself. Default: true. */
  autocommit?: boolean;
}

/** A running statement, with the driver's timer for it. */
interface Statement extends EventEmitter {
  queryTimeout?: NodeJS.Timeout | null;
}

/**
 * Sets the session variables of a new connection, gives each of its statements a timeout, and watches it.
 */
export function prepareConnection(
  connection: PoolConnection,
  options: ConnectionOptions,
  reach: Availability | undefined,
): void {
  const timeout = options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS;
  const query = connection.query.bind(connection) as (...args: unknown[]) => Statement;
  const follow = followStatements(connection, reach);
  const timed = (first: unknown, ...rest: unknown[]) => {
    const settings = typeof first === 'string' ? { sql: first, timeout } : Object.assign({ timeout }, first);
    const statement = query(settings, ...rest);
    follow(statement);
    return statement;
  };
  connection.query = timed as typeof connection.query;
  connection.on('error', (error) =>
    options.logger.debug('database connection lost', { error: messageOf(error) }),
  );
  for (const statement of [...SESSION_STATEMENTS, ...ownStatements(options)]) {
    connection.query(statement, (error: Error | null) => {
      if (error) connection.destroy();
    });
  }
  connection.query(CAUSAL_READS, (error: NodeJS.ErrnoException | null) => {
    if (error && !NOT_FOR_CAUSAL_READS.has(error.errno ?? 0)) connection.destroy();
  });
}

function ownStatements(options: ConnectionOptions): string[] {
  const { autocommit = true, lockWaitSeconds, rowLockWaitSeconds } = options;
  return [
    ...(autocommit ? [] : ['SET SESSION autocommit = 0']),
    ...(lockWaitSeconds === undefined ? [] : [`SET SESSION lock_wait_timeout = ${lockWaitSeconds}`]),
    ...(rowLockWaitSeconds === undefined
      ? []
      : [`SET SESSION innodb_lock_wait_timeout = ${rowLockWaitSeconds}`]),
  ];
}

/**
 * Breaks the connection when the server hangs, so that its statements fail as on any broken connection. The server may
 * still have an open transaction, or a COMMIT that takes effect later: the connection must not be used again (rule 3).
 */
function followStatements(
  connection: PoolConnection,
  reach: Availability | undefined,
): (statement: Statement) => void {
  const stream = streamOf(connection);
  const open = createLinkedList<{ statement: Statement; end: (answered: boolean) => void }>();
  stream.once('close', () => {
    for (const { statement, end } of open) {
      // The driver does not clear the timers of statements on a lost connection; they would keep the process alive.
      clearTimeout(statement.queryTimeout ?? undefined);
      end(false);
    }
    open.clear();
  });
  return (statement) => {
    // On a closed connection the driver fails the statement at once, and emits no further event.
    if (stream.closed) return;
    const end = reach?.begin((error) => stream.destroy(error)) ?? (() => undefined);
    const leave = open.enter({ statement, end });
    statement.once('end', () => {
      if (leave()) end(true);
    });
  };
}
