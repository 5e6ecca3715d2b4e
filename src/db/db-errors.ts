/** What the MySQL driver attaches to its errors. */
interface DriverError extends Error {
  errno?: number;
  code?: string;
  fatal?: boolean;
}

const DEADLOCK = 1213;
const LOCK_WAIT_TIMEOUT = 1205;
/** MariaDB 11.6+: the row changed after the snapshot was taken. */
const RECORD_CHANGED = 1020;
const DUPLICATE_KEY = 1062;
/** The server is there but takes no (more) work from us now: too busy, going down, read-only, or its disk is full. */
const SERVER_BUSY = new Set([1021, 1026, 1040, 1053, 1077, 1114, 1203, 1290, 1836]);
/**
 * The statement, or its session, was ended by somebody: killed (1317; 1927 of MariaDB, 3169 of MySQL), or idle for too long,
 * which MySQL says to the next statement of a process that was frozen (4031).
 */
const ENDED = new Set([1317, 1927, 3169, 4031]);

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAGAIN',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_SEQUENCE_TIMEOUT',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'PROTOCOL_ENQUEUE_AFTER_QUIT',
]);

/** A COMMIT was sent and its answer got lost: it has taken effect, or it has not (rule 3). */
export class CommitUnknown extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';

  constructor(cause: unknown) {
    super('The connection broke before the database had answered to COMMIT', { cause });
    this.name = new.target.name;
  }
}

/** A statement did not meet as many rows as it must: somebody was faster with some of them. */
export class RowsMissed extends Error {
  constructor() {
    super('Not all of the rows were as expected');
    this.name = new.target.name;
  }
}

/** The database gives out ids by another step than when the connection was made: nothing was stored (decision 0033). */
export class IdStepChanged extends Error {
  constructor(cause: unknown) {
    super('The database has changed the step of its ids', { cause });
    this.name = new.target.name;
  }
}

/** By shape, not by class: errors of Node's own sockets are of another realm where tests run in one of theirs. */
function driverError(error: unknown): Partial<DriverError> | undefined {
  return typeof error === 'object' && error !== null ? error : undefined;
}

/** Another transaction was in the way: roll back and run the whole batch again (rule 2). */
export function isLockConflict(error: unknown): boolean {
  const errno = driverError(error)?.errno;
  return errno === DEADLOCK || errno === LOCK_WAIT_TIMEOUT || errno === RECORD_CHANGED;
}

/** A unique key holds this value already; for work that is identified beforehand: it was committed (rule 3). */
export function isDuplicateKey(error: unknown): boolean {
  return driverError(error)?.errno === DUPLICATE_KEY;
}

/** The connection broke or never came about. Whether a COMMIT under way took effect is unknown. */
export function isConnectionError(error: unknown): boolean {
  const details = driverError(error);
  if (details === undefined) return false;
  const errno = details.errno ?? 0;
  return (
    details.fatal === true ||
    CONNECTION_CODES.has(details.code ?? '') ||
    SERVER_BUSY.has(errno) ||
    ENDED.has(errno)
  );
}

/** Worth trying again as it is: nothing is wrong with the data. */
export function isTransient(error: unknown): boolean {
  return isLockConflict(error) || isConnectionError(error) || error instanceof IdStepChanged;
}
