import { IN_THE_WAY, NOT_LET_IN, SERVER_STATES } from './server-errors.js';

/** Fields of the MySQL driver's errors. */
interface DriverError extends Error {
  errno?: number;
  code?: string;
  fatal?: boolean;
}

const DUPLICATE_KEY = 1062;
/**
 * A COMMIT failed, or the rollback after it. The text, in any language, has the number of the storage engine. In a cluster that
 * is 149, a deadlock, if another node changed the same rows: the transaction was rolled back.
 */
const FAILED_AT_END: ReadonlySet<number> = new Set([1180, 1181]);
const CONFLICT_INSIDE = /\b149\b/;

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

/** A COMMIT was sent, but its response was lost: it may or may not have taken effect (rule 3). */
export class CommitUnknown extends Error {
  readonly code = 'PROTOCOL_CONNECTION_LOST';

  constructor(cause: unknown) {
    super('The connection broke before the database responded to COMMIT', { cause });
    this.name = new.target.name;
  }
}

/** A statement affected fewer rows than required: another transaction has changed some of them. */
export class RowsMissed extends Error {
  constructor() {
    super('Not all of the rows were as expected');
    this.name = new.target.name;
  }
}

/** Another process has used a reserved id, or the time of the reservation is over: nothing was stored (notes/stores.md, Reserved ids). */
export class IdsRefused extends Error {
  constructor(cause: unknown) {
    super('The database rejected reserved ids', { cause });
    this.name = new.target.name;
  }
}

/** The database reports other rows than were sent: the transaction must be rolled back, and a person must know. */
export class NotAsInserted extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** Checks the shape, not the class: under jest, errors of Node's own sockets are from another realm. */
function driverError(error: unknown): Partial<DriverError> | undefined {
  return typeof error === 'object' && error !== null ? error : undefined;
}

/** A conflict with another transaction: roll back and repeat the whole batch (rule 2). */
export function isLockConflict(error: unknown): boolean {
  const { errno = 0, message = '' } = driverError(error) ?? {};
  return IN_THE_WAY.has(errno) || (FAILED_AT_END.has(errno) && CONFLICT_INSIDE.test(message));
}

/** A unique key already has this value; for work with an id chosen in advance: it was committed (rule 3). */
export function isDuplicateKey(error: unknown): boolean {
  return driverError(error)?.errno === DUPLICATE_KEY;
}

/**
 * The connection broke or could not be opened, or the server accepts no work now (`SERVER_STATES`). The outcome of a
 * running COMMIT is unknown.
 */
export function isConnectionError(error: unknown): boolean {
  const details = driverError(error);
  if (details === undefined || isLockConflict(error)) return false;
  return (
    details.fatal === true ||
    CONNECTION_CODES.has(details.code ?? '') ||
    SERVER_STATES.has(details.errno ?? 0)
  );
}

/** The account or the schema is wrong, and stays so until a person fixes it. */
export function needsPerson(error: unknown): boolean {
  return NOT_LET_IN.includes(driverError(error)?.errno ?? 0);
}

/** A retry may succeed: nothing is wrong with the data. */
export function isTransient(error: unknown): boolean {
  return isLockConflict(error) || isConnectionError(error) || error instanceof IdsRefused;
}
