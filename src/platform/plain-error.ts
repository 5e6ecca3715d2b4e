import { types } from 'node:util';
import { driverText, withoutQuotedValues } from './driver-text.js';

/** What may be told of an error. Everything else that libraries hang on it (statements, headers) is left out. */
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

/** Causes, one inside the other; and errors of one AggregateError. */
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

/** Also one of another realm, as Node's own are where tests run in one of theirs. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

/**
 * The message of whatever was thrown. An error of the database says what is wrong, but neither the statement nor its
 * values, which may be secrets.
 */
export function safeMessage(error: unknown): string {
  if (!isError(error)) return withoutQuotedValues(String(error));
  const { sqlMessage, sqlState } = error as KnownFields;
  // Knex puts the statement in front of the message.
  if (typeof sqlMessage === 'string') return driverText(sqlMessage);
  return typeof sqlState === 'string' ? driverText(error.message) : withoutQuotedValues(error.message);
}

/** Name, message and the places in the code; what is no error as text. */
export function safeStack(error: unknown): string {
  if (!isError(error)) return safeMessage(error);
  const frames = (error.stack ?? '').split('\n').filter((line) => FRAME.test(line));
  return [`${error.name}: ${safeMessage(error)}`, ...frames].join('\n');
}

/** The error with its causes, as a log line may hold it. */
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
