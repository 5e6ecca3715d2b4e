import { createClient, FabulaError } from '../../../clients/typescript/client.js';
import { addressOf } from './console-place.js';
import { parseExact } from '../text/exact-json.js';
import { problemsIn } from './send-to.js';

/** The header that only our own scripts can set: without it the server refuses a write of a session. */
const OWN_SCRIPT = { 'X-Fabula-Console': '1' };

const listeners = new Set<() => void>();

/** Calls `listener` when the server no longer knows the session. Returns the function that ends that. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Sends a request with the session's cookie; an answer of 401 is told to those who wait for it. */
async function send(address: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const isRead = (init.method ?? 'GET') === 'GET';
  const headers = { ...(init.headers as Record<string, string>), ...(isRead ? {} : OWN_SCRIPT) };
  const response = await fetch(address, { ...init, headers, credentials: 'same-origin' });
  if (response.status === 401) for (const listener of listeners) listener();
  return response;
}

/**
 * The public API as the signed-in person. Each call may throw a FabulaError, or a FabulaConnectionError. None is sent again:
 * pages ask for their data again, and people press a button again.
 */
export const api = createClient({ url: addressOf(''), fetch: send, parse: parseExact, maxRetries: 0 });

/** Sends JSON that is a text already, so that numbers keep all their digits. @throws FabulaError for a refusal. */
export async function sendText(method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
  const response = await send(addressOf(path), {
    method,
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    signal: AbortSignal.timeout(60_000),
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  if (!response.ok) throw new FabulaError(response.status, problemsIn(text), undefined, undefined);
  return text;
}
