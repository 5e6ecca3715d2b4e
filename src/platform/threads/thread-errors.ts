import * as appErrors from '../errors.js';
import { messageOf } from '../errors.js';
import { TemplateError } from '../../language/template-error.js';
import { XmlError } from '../text/xml.js';

/** A task worked longer than it may; its thread was ended. Trying again cannot help. */
export class TaskTooLong extends Error {
  constructor(
    readonly task: string,
    readonly limitMs: number,
  ) {
    super(`The work took longer than ${limitMs} ms`);
    this.name = 'TaskTooLong';
  }
}

/** A task needed more memory than a thread has. Trying again cannot help. */
export class TaskTooLarge extends Error {
  constructor(readonly task: string) {
    super('The work needs more memory than it may take');
    this.name = 'TaskTooLarge';
  }
}

/** A task threw what has no class of its own here, or its thread died. */
export class TaskFailed extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'TaskFailed';
  }
}

/** 503: too much waits for the threads, of this tenant or of all. Nothing was done; it can be tried again. */
export class ThreadsBusy extends appErrors.Unavailable {
  constructor() {
    super('The server is busy; try again', { retryAfterSeconds: 1 });
  }
}

/** An error on its way from one thread to another: classes do not survive it. */
export interface PackedError {
  className: string;
  message: string;
  stack: string | undefined;
  /** What else it holds, such as a status or a problem. */
  fields: Record<string, unknown>;
}

type ErrorClass = abstract new (...given: never[]) => Error;

const CLASSES = new Map<string, ErrorClass>(
  [...Object.values(appErrors), TemplateError, XmlError]
    .filter((value): value is typeof value & ErrorClass => isErrorClass(value))
    .map((value) => [value.name, value]),
);

function isErrorClass(value: unknown): value is ErrorClass {
  return typeof value === 'function' && value.prototype instanceof Error;
}

/** What is needed to make the same error in another thread. */
export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) {
    return { className: '', message: messageOf(error), stack: undefined, fields: {} };
  }
  const { message, stack } = error;
  const fields = Object.fromEntries(Object.entries(error).filter(([name]) => name !== 'cause'));
  return { className: error.constructor.name, message, stack, fields };
}

/** The error as its class made it; `TaskFailed` for one whose class is none of ours. */
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
