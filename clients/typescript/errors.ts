/** One fault of a request; `details` is the path of the field. */
export interface FabulaProblem {
  message: string;
  details?: string;
}

/** A request that the server refused or could not serve. */
export class FabulaError extends Error {
  constructor(
    readonly status: number,
    readonly problems: readonly FabulaProblem[],
    /** The id under which the server's log has the request. */
    readonly requestId: string | undefined,
    /** Seconds to wait before a retry, for 429 and 503. */
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(problems.map(({ message }) => message).join('; ') || `Status ${status}`);
    this.name = 'FabulaError';
  }
}

/** A request without an answer, or with a part of it: whether it took effect is not known. `cause` says why. */
export class FabulaConnectionError extends Error {
  constructor(
    readonly method: string,
    /** The address without its query. */
    readonly address: string,
    reason: string,
    cause: unknown,
  ) {
    super(`${method} ${address}: ${reason}`, { cause });
    this.name = 'FabulaConnectionError';
  }
}

/** A request that was not answered in time. */
export class FabulaTimeoutError extends FabulaConnectionError {
  constructor(method: string, address: string, timeoutMs: number, cause: unknown) {
    super(method, address, `no answer within ${timeoutMs} ms`, cause);
    this.name = 'FabulaTimeoutError';
  }
}

/** Returns the error of a response that is no success. */
export function errorOf({ status, headers }: Response, text: string): FabulaError {
  const wait = Number(headers.get('retry-after') ?? Number.NaN);
  return new FabulaError(
    status,
    problemsIn(text),
    headers.get('x-request-id') ?? undefined,
    Number.isFinite(wait) ? wait : undefined,
  );
}

/** A proxy before the server may answer with something that is no JSON. */
function problemsIn(text: string): FabulaProblem[] {
  try {
    const { errors } = JSON.parse(text) as { errors?: unknown };
    return Array.isArray(errors) ? errors.filter(isProblem) : [];
  } catch {
    return [];
  }
}

function isProblem(value: unknown): value is FabulaProblem {
  return typeof (value as Partial<FabulaProblem> | null)?.message === 'string';
}
