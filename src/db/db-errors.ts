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
/** The server is there but takes no (more) work from us now. */
const SERVER_BUSY = new Set([1040, 1053, 1077, 1203, 1290, 1836]);

const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
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
  return (
    details.fatal === true || CONNECTION_CODES.has(details.code ?? '') || SERVER_BUSY.has(details.errno ?? 0)
  );
}

/** Worth trying again as it is: nothing is wrong with the data. */
export function isTransient(error: unknown): boolean {
  return isLockConflict(error) || isConnectionError(error);
}
