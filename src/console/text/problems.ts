import {
  FabulaConnectionError,
  FabulaError,
  FabulaTimeoutError,
} from '../../../clients/typescript/client.js';
import { isolated } from './isolated.js';

/** Returns the sentences to show for a failed request: those of the server, or why there was no response. */
export function sentencesOf(error: unknown): string[] {
  if (error instanceof FabulaError) {
    if (isRepeated(error)) return [REPEATED];
    const told = error.problems.map(({ message, details }) =>
      isolated(details ? `${isolated(details)}: ${message}` : message),
    );
    return told.length > 0 ? told : [byStatus(error.status)];
  }
  if (isLate(error)) return ['The server did not respond in time.'];
  if (error instanceof FabulaConnectionError || error instanceof TypeError) {
    return ['The server is unreachable.'];
  }
  return [error instanceof Error ? error.message : 'Something went wrong.'];
}

const REPEATED =
  'This was sent before, and the server does not know how it ended. Check whether it was done before you send it again.';

/** Whether the server refused a write that was sent before with the same key, because it has no response of it. */
function isRepeated({ status, problems }: FabulaError): boolean {
  return status === 409 && problems.some(({ details }) => details === 'Idempotency-Key');
}

function isLate(error: unknown): boolean {
  if (error instanceof FabulaTimeoutError) return true;
  return error instanceof DOMException && error.name === 'TimeoutError';
}

/** Whether a request failed because the thing is absent, or not for this person. */
export function isAbsent(error: unknown): boolean {
  return error instanceof FabulaError && (error.status === 404 || error.status === 403);
}

/** Whether the server refused a request for want of rights. */
export function isForbidden(error: unknown): boolean {
  return error instanceof FabulaError && error.status === 403;
}

/** Whether the server refused a request because nobody is signed in. */
export function isUnsigned(error: unknown): boolean {
  return error instanceof FabulaError && error.status === 401;
}

const AWAY = new Set([502, 503, 504]);

/** Whether a response of this status says that the server is away, or what it needs. */
export const isAwayStatus = (status: number) => AWAY.has(status);

/** Whether a request failed because the server is away, so that the same one will pass. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof FabulaError) return isAwayStatus(error.status);
  return error instanceof FabulaConnectionError && !isLate(error);
}

/** Whether a request conflicts with what is there, such as the session of another person. */
export function isConflict(error: unknown): boolean {
  return error instanceof FabulaError && error.status === 409;
}

/** Whether another try may succeed. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof FabulaError) || error.status >= 500;
}

function byStatus(status: number): string {
  if (status === 401) return 'You are not signed in.';
  if (status === 403) return 'Your role does not allow this.';
  if (status === 404) return 'Nothing found at this address.';
  if (status === 429) return 'Too many requests. Wait a minute, then try again.';
  return `The server responded with status ${status}.`;
}
