import { safeMessage, safeStack } from './plain-error.js';

/** One fault of a request; `details` names the field path (spec §1.3). */
export interface Problem {
  message: string;
  details?: string;
  /** Names a conflict between a draft and its story, so that the next request can solve it (spec §3.17). */
  entry?: string;
}

/** Base of the errors that API clients may see: it has a status and problems. */
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

/** 403: the key may see the item, but its role may not do this. */
export class Forbidden extends AppError {
  constructor(message = 'Your role does not allow this') {
    super(403, message);
  }
}

/** 404: unknown, or not visible to this key (ids cannot be probed). */
export class NotFound extends AppError {
  constructor(what: string) {
    super(404, `${what} not found`);
  }
}

/** 405: the path is served, with other methods; `allow` lists them. */
export class MethodNotAllowed extends AppError {
  constructor(allow: string, message = 'Method not allowed') {
    super(405, message, { headers: { Allow: allow } });
  }
}

/** 409: the request conflicts with stored data. */
export class Conflict extends AppError {
  constructor(problems: string | Problem[]) {
    super(409, problems);
  }
}

/** 412: the stored thing is not the version that the client expects. */
export class PreconditionFailed extends AppError {
  constructor(problems: string | Problem[], options: { headers?: Record<string, string> } = {}) {
    super(412, problems, options);
  }
}

/** 413: larger than a configured limit, or than the database accepts. */
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

/** 422: well-formed, but it violates rules; one problem for each. */
export class Unprocessable extends AppError {
  constructor(problems: string | Problem[]) {
    super(422, problems);
  }
}

/** 429: over a rate limit of `perMinute` requests (spec §1.8). `whose` requests: `of one user`. */
export class TooManyRequests extends AppError {
  constructor(perMinute: number, retryAfterSeconds: number, whose = '') {
    const calls = whose === '' ? 'calls' : `calls ${whose}`;
    super(429, `More than ${perMinute} ${calls} within a minute; try again in ${retryAfterSeconds} s`, {
      headers: { 'Retry-After': String(retryAfterSeconds) },
    });
  }
}

/** 503: a required store is down, or the server sheds load. Nothing was accepted. */
export class Unavailable extends AppError {
  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number } = {}) {
    const headers = { 'Retry-After': String(options.retryAfterSeconds ?? 5) };
    super(503, message, { cause: options.cause, headers });
  }
}

/** 504: the stores did not respond: the request may have taken effect, or may still do so. */
export class OutcomeUnknown extends AppError {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(504, message, options);
  }
}

interface AgentErrorOptions {
  cause?: unknown;
  retryAfterMs?: number | undefined;
  status?: number | undefined;
  maxAttempts?: number | undefined;
}

/** An agent failed; a later attempt may succeed (for example, a mail server is down). */
export class AgentError extends Error {
  /** Minimum wait before the next attempt, if the remote server named one. */
  readonly retryAfterMs: number | undefined;
  /** HTTP status of the remote server's response; 0: there was none; undefined if the error is not about a response. */
  readonly status: number | undefined;
  /** Attempts after which it is not tried again; undefined: as the server says. */
  readonly maxAttempts: number | undefined;

  constructor(message: string, options: AgentErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.retryAfterMs = options.retryAfterMs;
    this.status = options.status;
    this.maxAttempts = options.maxAttempts;
  }
}

/** The agent cannot work yet: the delivery is retried after `waitMs`, and this counts as no attempt. */
export class NotYet extends AgentError {
  readonly waitMs: number;

  constructor(message: string, options: { cause?: unknown; waitMs: number }) {
    super(message, { cause: options.cause });
    this.waitMs = options.waitMs;
  }
}

/** A person must do something first. An action with failure links does not wait for that: these get the error at once. */
export class NeedsPerson extends NotYet {}

/** A retry cannot help: the delivery becomes a dead letter. */
export class PermanentJobError extends AgentError {}

/** An address that the mail server rejected while it accepted others. */
export interface RefusedRecipient {
  address: string;
  reason: string;
  /** The server reported that a retry is useless. */
  permanent: boolean;
}

/** The mail server refused every recipient, at least one of them only for now. */
export class MailRefused extends AgentError {
  constructor(
    message: string,
    readonly refused: readonly RefusedRecipient[],
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** The mail server refused every recipient for good. */
export class MailRefusedForGood extends PermanentJobError {
  constructor(
    message: string,
    readonly refused: readonly RefusedRecipient[],
    options: { cause?: unknown } = {},
  ) {
    super(message, options);
  }
}

/** Returns the message of any thrown value, without statements and values that a store's error contains. */
export const messageOf = safeMessage;

/** Returns name, message (as `messageOf`) and stack frames of any thrown value. */
export const stackOf = safeStack;
