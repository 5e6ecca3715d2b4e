import { IN_THE_WAY, NOT_LET_IN, SERVER_STATES } from './server-errors.js';

/** What the MySQL driver attaches to its errors. */
interface DriverError extends Error {
  errno?: number;
  code?: string;
  fatal?: boolean;
}

const DUPLICATE_KEY = 1062;

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
  return IN_THE_WAY.has(driverError(error)?.errno ?? 0);
}

/** A unique key holds this value already; for work that is identified beforehand: it was committed (rule 3). */
export function isDuplicateKey(error: unknown): boolean {
  return driverError(error)?.errno === DUPLICATE_KEY;
}

/**
 * The connection broke or never came about, or the server takes no work from us now (`SERVER_STATES`). Whether a COMMIT under way
 * took effect is unknown.
 */
export function isConnectionError(error: unknown): boolean {
  const details = driverError(error);
  if (details === undefined) return false;
  return (
    details.fatal === true ||
    CONNECTION_CODES.has(details.code ?? '') ||
    SERVER_STATES.has(details.errno ?? 0)
  );
}

/** The account or the schema is not as it should be: it stays so until a person mends it. */
export function needsPerson(error: unknown): boolean {
  return NOT_LET_IN.includes(driverError(error)?.errno ?? 0);
}

/** Worth trying again as it is: nothing is wrong with the data. */
export function isTransient(error: unknown): boolean {
  return isLockConflict(error) || isConnectionError(error) || error instanceof IdStepChanged;
}
