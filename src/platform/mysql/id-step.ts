import { escape } from 'mysql2';
import type { Logger } from '../logger.js';
import type { SqlValue } from './sql.js';

/** The server's error for a number out of range; no other statement of ours causes it. */
const OUT_OF_RANGE = 1690;
const FAIL = '~0 + 1';
/** A server whose step changes with every batch must not fill the log. */
const TELL_EVERY_MS = 60_000;

export const READ_ID_STEP = 'SELECT @@auto_increment_increment AS step';

/**
 * Returns rows of which the server rejects the first if its id step differs (decision 0033). The check is part of the
 * statement itself, because a Galera node may change its step between any two statements of a session.
 */
export function guardStep(rows: SqlValue[][], step: number): SqlValue[][] {
  const [first, ...rest] = rows;
  if (first === undefined || rest.length === 0) return rows;
  const [cell = null, ...cells] = first;
  return [[guarded(cell, step), ...cells], ...rest];
}

function guarded(cell: SqlValue, step: number): SqlValue {
  const sql = `IF(@@auto_increment_increment = ${step}, ${escape(cell, false, 'Z')}, ${FAIL})`;
  return { toSqlString: () => sql };
}

/** Returns true if the server rejected a guarded statement. */
export function isStepRefused(error: unknown): boolean {
  return (error as { errno?: unknown } | null)?.errno === OUT_OF_RANGE;
}

/** Logs that the step has changed, each kind at most once a minute. */
export function createStepAlarm(logger: Logger) {
  const toldAt = { warn: Number.NEGATIVE_INFINITY, error: Number.NEGATIVE_INFINITY };
  const tell = (level: 'warn' | 'error', message: string) => {
    const now = performance.now();
    if (now - toldAt[level] < TELL_EVERY_MS) return;
    toldAt[level] = now;
    logger[level](message);
  };
  return {
    changed: () =>
      tell('warn', 'auto_increment_increment of the database has changed: the batch is stored again'),
    keepsChanging: () =>
      tell(
        'error',
        'auto_increment_increment of the database differs from statement to statement: rows are stored one by one,' +
          ' which is slow. Give every node that this process reaches the same, steady value',
      ),
  };
}
