import { createClient } from '../../../clients/typescript/client.js';
import { parseExact } from '../text/exact-json.js';
import { addressOf } from './console-place.js';
import { withWriteKeys } from './write-keys.js';
import { exchange, send, type TextResponse, type TextRequest } from './send-to.js';

const listeners = new Set<() => void>();

/** Calls `listener` when the server no longer knows the session. Returns the function that ends that. */
export function onSignedOut(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Returns a key that no other write has. `randomUUID` is absent where the console is served without TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
}

const sendOnce = withWriteKeys(send, newKey);

/** Sends a request as the signed-in person; a response of 401 is told to those who wait for it. */
async function sendSigned(address: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await sendOnce(address, init);
  if (response.status === 401) for (const listener of listeners) listener();
  return response;
}

/**
 * The public API as the signed-in person. Each call may throw a FabulaError, or a FabulaConnectionError. None is sent again:
 * pages ask for their data again, and people press a button again.
 */
export const api = createClient({ url: addressOf(''), fetch: sendSigned, parse: parseExact, maxRetries: 0 });

/** Sends JSON that is a text already, so that numbers keep all their digits. @throws FabulaError for a refusal. */
export async function sendText(
  method: 'GET' | 'POST',
  path: string,
  body?: string,
  { timeoutMs } = { timeoutMs: 60_000 },
): Promise<string> {
  return (await exchange({ method, path, body, limitMs: timeoutMs }, sendSigned)).text;
}

/** Sends JSON text, and returns the answer with its version. @throws FabulaError for a refusal. */
export function sendVersioned(request: Omit<TextRequest, 'limitMs'>): Promise<TextResponse> {
  return exchange({ ...request, limitMs: 60_000 }, sendSigned);
}
