import { errorOf, FabulaConnectionError, FabulaError } from '../../../clients/typescript/errors.js';
import { isAwayStatus } from '../text/problems.js';
import { noteReach } from '../text/server-reach.js';
import { addressOf } from './console-place.js';

/** The header that only our own scripts can set: without it the server refuses a write of a session. */
const OWN_SCRIPT = ['X-Fabula-Console', '1'] as const;
/** The header that says for whom the page was loaded: the server refuses it once another person is signed in. */
const OWN_USER = 'X-Fabula-User';
const SESSION_LIMIT_MS = 30_000;

let userId: number | undefined;

/** From now on each request says that this page is the one of this user. */
export function sendAs(id: number): void {
  userId = id;
}

/** Returns the user for whom this page was loaded; undefined before the first one. */
export const sentAs = (): number | undefined => userId;

/** A request whose body is JSON already, so that numbers keep all their digits. */
export interface TextRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  body?: string | undefined;
  /** Further headers, such as `If-Match`. */
  headers?: Readonly<Record<string, string>>;
  limitMs: number;
}

/** The text of a response, and the version of what it shows where the server tells it. */
export interface TextResponse {
  text: string;
  etag: string | undefined;
}

/** Sends a request with the session's cookie. Everything that the console sends goes through here. */
export async function send(address: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if ((init.method ?? 'GET') !== 'GET') headers.set(...OWN_SCRIPT);
  if (userId !== undefined) headers.set(OWN_USER, String(userId));
  try {
    const response = await fetch(address, { ...init, headers, credentials: 'same-origin' });
    noteReach(!isAwayStatus(response.status));
    return response;
  } catch (error) {
    // One that was given up says nothing about the server.
    if (init.signal?.aborted !== true) noteReach(false);
    throw error;
  }
}

/** Sends JSON by `sender`, and returns the response. @throws FabulaError for a refusal, FabulaConnectionError without an answer. */
export async function exchange(
  { method, path, body, headers, limitMs }: TextRequest,
  sender: typeof send = send,
): Promise<TextResponse> {
  const signal = AbortSignal.timeout(limitMs);
  const response = await sender(addressOf(path), {
    method,
    headers: {
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    signal,
    ...(body !== undefined && { body }),
  }).catch((error: unknown) => {
    if (signal.aborted) throw error;
    throw new FabulaConnectionError(method, path, 'no answer', error);
  });
  const text = await response.text();
  if (!response.ok) throw errorOf(response, text);
  return { text, etag: response.headers.get('etag') ?? undefined };
}

/**
 * Sends JSON to a route that is no part of the public API. Returns the response, null for an empty one and for the status
 * `absent`. @throws FabulaError for a refusal.
 */
export async function sendTo<Response>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  body?: object,
  { absent }: { absent?: number } = {},
): Promise<Response> {
  try {
    const sent = body && JSON.stringify(body);
    const { text } = await exchange({ method, path, body: sent, limitMs: SESSION_LIMIT_MS });
    return (text === '' ? null : JSON.parse(text)) as Response;
  } catch (error) {
    if (error instanceof FabulaError && error.status === absent) return null as Response;
    throw error;
  }
}
