import { types } from 'node:util';
import { withSourcePlace } from './runtime/source-places.js';
import { driverText, withoutQuotedValues } from './driver-text.js';

/** The loggable fields of an error. All others that libraries add (statements, headers) are left out. */
export interface PlainError {
  name: string;
  message: string;
  code?: string | number;
  errno?: number;
  sqlState?: string;
  stack?: string;
  cause?: PlainError | string;
  errors?: (PlainError | string)[];
}

/** Depth of nested causes; number of errors in one AggregateError. */
const MAX_DEPTH = 5;
const MAX_ERRORS = 10;
const FRAME = /^\s+at /;

interface KnownFields {
  code?: unknown;
  errno?: unknown;
  sqlState?: unknown;
  sqlMessage?: unknown;
  cause?: unknown;
  errors?: unknown;
}

/** Returns true for errors, also from another realm: under jest Node's own errors are from another one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/**
 * Returns the message of any thrown value. A database error keeps its reason, but neither the statement nor its
 * values, which may be secrets.
 */
export function safeMessage(error: unknown): string {
  if (!isError(error)) return withoutQuotedValues(String(error));
  const { sqlMessage, sqlState } = error as KnownFields;
  // Knex prepends the statement to the message.
  if (typeof sqlMessage === 'string') return driverText(sqlMessage);
  return typeof sqlState === 'string' ? driverText(error.message) : withoutQuotedValues(error.message);
}

/** Returns name, message and stack frames, which name sources; a value that is no error as text. */
export function safeStack(error: unknown): string {
  if (!isError(error)) return safeMessage(error);
  const frames = (error.stack ?? '')
    .split('\n')
    .filter((line) => FRAME.test(line))
    .map((line) => withSourcePlace(line));
  return [`${error.name}: ${safeMessage(error)}`, ...frames].join('\n');
}

/** Returns the error with its causes, as a log line may contain it. */
export function plainError(error: Error, depth = 0): PlainError {
  const { code, errno, sqlState, cause, errors } = error as KnownFields;
  const inner = (value: unknown) => (isError(value) ? plainError(value, depth + 1) : safeMessage(value));
  const isDeep = depth >= MAX_DEPTH;
  return {
    name: error.name,
    message: safeMessage(error),
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof errno === 'number' && { errno }),
    ...(typeof sqlState === 'string' && { sqlState }),
    stack: safeStack(error),
    ...(cause !== undefined && cause !== null && !isDeep && { cause: inner(cause) }),
    ...(Array.isArray(errors) && !isDeep && { errors: errors.slice(0, MAX_ERRORS).map(inner) }),
  };
}
