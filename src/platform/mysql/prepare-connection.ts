import type { EventEmitter } from 'node:events';
import type { PoolConnection, RowDataPacket } from 'mysql2';
import type { Logger } from '../logger.js';
import { messageOf } from '../errors.js';
import { SESSION_STATEMENTS, STATEMENT_TIMEOUT_MS } from './connection-settings.js';
import { streamOf } from './connection-stream.js';
import { READ_ID_STEP } from './id-step.js';
import { createLinkedList } from '../runtime/linked-list.js';
import type { Availability } from './availability.js';

/** How each connection of a pool is set up. */
export interface ConnectionOptions {
  logger: Logger;
  /** Of one statement. Migrations need longer than the default. */
  statementTimeoutMs?: number;
  /** How long a change of a table waits for those who use it; for ever unless given. */
  lockWaitSeconds?: number;
  /** Whether each statement outside a transaction is one of its own. Default: true. */
  autocommit?: boolean;
}

/** A statement under way: the driver's own timer for it. */
interface Statement extends EventEmitter {
  queryTimeout?: NodeJS.Timeout | null;
}

/**
 * Sets the session of a new connection, gives every statement of it a time-out, and has it watched. Gives the step of its
 * ids; undefined where the server did not say it.
 */
export function prepareConnection(
  connection: PoolConnection,
  options: ConnectionOptions,
  reach: Availability | undefined,
): Promise<number | undefined> {
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
  return readIdStep(connection);
}

function readIdStep(connection: PoolConnection): Promise<number | undefined> {
  return new Promise((resolve) => {
    connection.query<(RowDataPacket & { step: number })[]>(READ_ID_STEP, (error, rows) => {
      if (error) connection.destroy();
      resolve(error ? undefined : rows[0]?.step);
    });
  });
}

function ownStatements({ autocommit = true, lockWaitSeconds }: ConnectionOptions): string[] {
  return [
    ...(autocommit ? [] : ['SET SESSION autocommit = 0']),
    ...(lockWaitSeconds === undefined ? [] : [`SET SESSION lock_wait_timeout = ${lockWaitSeconds}`]),
  ];
}

/**
 * A server that hangs keeps nobody waiting: the connection is broken, and its statements fail as on any that breaks. It
 * may still hold a transaction, or a COMMIT that takes effect later: it must not serve anybody else (rule 3).
 */
function followStatements(
  connection: PoolConnection,
  reach: Availability | undefined,
): (statement: Statement) => void {
  const stream = streamOf(connection);
  const open = createLinkedList<{ statement: Statement; end: (answered: boolean) => void }>();
  stream.once('close', () => {
    for (const { statement, end } of open) {
      // The driver forgets the timers of statements whose connection is lost; they would keep the process.
      clearTimeout(statement.queryTimeout ?? undefined);
      end(false);
    }
    open.clear();
  });
  return (statement) => {
    // On one that is closed already the driver refuses at once, and says nothing more.
    if (stream.closed) return;
    const end = reach?.begin((error) => stream.destroy(error)) ?? (() => undefined);
    const leave = open.enter({ statement, end });
    statement.once('end', () => {
      if (leave()) end(true);
    });
  };
}
