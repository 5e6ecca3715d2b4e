import { safeMessage, safeStack } from './plain-error.js';

/** One thing that is wrong with a request; `details` names the field path (spec §1.3). */
export interface Problem {
  message: string;
  details?: string;
}

/** Base of the errors a caller of the API may see: it knows its status and its problems. */
export class AppError extends Error {
  readonly status: number;
  readonly problems: Problem[];
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    problems: string | Problem[],
    options: { cause?: unknown; headers?: Record<string, string> } = {},
  ) {
    const list = typeof problems === 'string' ? [{ message: problems }] : problems;
    super(list.map((problem) => problem.message).join('; '), { cause: options.cause });
    this.name = new.target.name;
    this.status = status;
    this.problems = list;
    this.headers = options.headers ?? {};
  }
}

/** 400: the body is not JSON, or the encoding is wrong. */
export class BadRequest extends AppError {
  constructor(problems: string | Problem[], options: { cause?: unknown } = {}) {
    super(400, problems, options);
  }
}

/** 401: no key, or one that is unknown, revoked or expired. */
export class Unauthorized extends AppError {
  constructor(message = 'A valid API key is required') {
    super(401, message, { headers: { 'WWW-Authenticate': 'Bearer' } });
  }
}

/** 403: the item may be seen, but the role may not do this. */
export class Forbidden extends AppError {
  constructor(message = 'Your role does not allow this') {
    super(403, message);
  }
}

/** 404: unknown, or not to be seen by this key (ids cannot be probed). */
export class NotFound extends AppError {
  constructor(what = 'Resource') {
    super(404, `${what} not found`);
  }
}

/** 409: the request conflicts with what is stored. */
export class Conflict extends AppError {
  constructor(problems: string | Problem[]) {
    super(409, problems);
  }
}

/** 413: larger than a configured limit, or than the database can take. */
export class PayloadTooLarge extends AppError {
  constructor(message: string) {
    super(413, message);
  }
}

/** 415: a body that is not JSON. */
export class UnsupportedMediaType extends AppError {
  constructor(message: string) {
    super(415, message);
  }
}

/** 422: well-formed, but it breaks a rule; one problem for each rule broken. */
export class Unprocessable extends AppError {
  constructor(problems: string | Problem[]) {
    super(422, problems);
  }
}

/** 429: over a rate limit of so many calls a minute (spec §1.8). `whose` calls: `of one user`. */
export class TooManyRequests extends AppError {
  constructor(perMinute: number, retryAfterSeconds: number, whose = '') {
    const calls = whose === '' ? 'calls' : `calls ${whose}`;
    super(429, `More than ${perMinute} ${calls} within a minute; try again in ${retryAfterSeconds} s`, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** 503: a store that is needed is down, or the server sheds load. Nothing was taken. */
export class Unavailable extends AppError {
  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    const headers = { 'Retry-After': String(options.retryAfterSeconds ?? 5) };
    super(503, message, { cause: options.cause, headers });
  }
}

/** 504: what was asked for may have been done, or may still be: the stores did not say. */
export class OutcomeUnknown extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(504, message, options);
  }
}

/** An agent could not do its work; a later attempt may succeed (a mail server that is down). */
export class AgentError extends Error {
  /** Wait at least this long before the next attempt, when the other side said so. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, options: { cause?: unknown; retryAfterMs?: number } = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** It is not the time for it: the action goes on after `waitMs`, and this counts as no attempt. */
export class NotYet extends AgentError {
  readonly waitMs: number;

  constructor(message: string, options: { cause?: unknown; waitMs: number }) {
    super(message, { cause: options.cause });
    this.waitMs = options.waitMs;
  }
}

/** Trying again cannot help: the delivery is set aside as a dead letter. */
export class PermanentJobError extends AgentError {}

/** The message of whatever was thrown, without what an error of a store says of statements and values. */
export const messageOf = safeMessage;

/** Name, message and places in the code of whatever was thrown, as `messageOf` tells the message. */
export const stackOf = safeStack;
