import * as appErrors from '../errors.js';
import { messageOf } from '../errors.js';
import { TemplateError } from '../text/template-error.js';
import { XmlError } from '../text/xml/xml.js';

/** A task exceeded its time limit; its thread was terminated. A retry cannot help. */
export class TaskTooLong extends Error {
  constructor(
    readonly task: string,
    readonly limitMs: number,
  ) {
    super(`The work took longer than ${limitMs} ms`);
    this.name = 'TaskTooLong';
  }
}

/** A task needed more memory than a thread has. A retry cannot help. */
export class TaskTooLarge extends Error {
  constructor(readonly task: string) {
    super('The work needs more memory than it may take');
    this.name = 'TaskTooLarge';
  }
}

/** A task threw an error of an unknown class, or its thread ended. */
export class TaskFailed extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'TaskFailed';
  }
}

/** 503: too many tasks wait for the threads, of this tenant or of all. Nothing was done; the request can be repeated. */
export class ThreadsBusy extends appErrors.Unavailable {
  constructor() {
    super('The server is busy; try again', { retryAfterSeconds: 1 });
  }
}

/** The task had to make room for another tenant's; it may begin again. */
export class Displaced extends ThreadsBusy {}

/** An error as sent between threads: a structured clone loses its class. */
export interface PackedError {
  /** Empty: it is not one of ours. */
  className: string;
  message: string;
  stack: string | undefined;
  /** Its other fields, such as a status or a problem. */
  fields: Record<string, unknown>;
}

type ErrorClass = abstract new (...given: never[]) => Error;

/** By the names under which they are exported: a bundle may call a class otherwise. */
const CLASSES = new Map<string, ErrorClass>(
  Object.entries<unknown>({ ...appErrors, TemplateError, XmlError }).filter(
    (entry): entry is [string, ErrorClass] => isErrorClass(entry[1]),
  ),
);
const NAMES = new Map<unknown, string>([...CLASSES].map(([name, errorClass]) => [errorClass, name]));

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === 'function' && value.prototype instanceof Error;
}

/** Returns what another thread needs to recreate the error. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) {
    return { className: '', message: messageOf(error), stack: undefined, fields: {} };
  }
  const { message, stack } = error;
  const fields = Object.fromEntries(Object.entries(error).filter(([name]) => name !== 'cause'));
  return { className: NAMES.get(error.constructor) ?? '', message, stack, fields };
}

/** Returns the error with its class; `TaskFailed` if that is not one of ours. */
export function unpackError({ className, message, stack, fields }: PackedError): Error {
  const known = CLASSES.get(className);
  const error = known === undefined ? new TaskFailed(message) : new Error(message);
  if (known !== undefined) {
    Object.setPrototypeOf(error, known.prototype as object);
    Object.assign(error, fields);
  }
  if (stack !== undefined) Object.defineProperty(error, 'stack', { value: stack, configurable: true });
  return error;
}
