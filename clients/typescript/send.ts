import { textOf } from './body.js';
import type { Answer, CallOptions } from './calls.js';
import { errorOf, FabulaConnectionError, FabulaError, FabulaTimeoutError } from './errors.js';
import { createLimit, type Limit } from './limit.js';
import type { ApiRequest } from './request.js';
import { pauseBefore, sleep } from './retries.js';
import { eventsOf } from './stream.js';

/** In a stream the server says something every 15 seconds. */
const SILENT_MS = 45_000;

/** The address of a server, and the key to it. */
export interface ClientOptions {
  /** `https://fabula.example.com`. */
  url: string;
  /** An API key; the client has its rights. A browser that is signed in by a cookie has none. */
  key?: string;
  /** How long each attempt of a request may take, 60,000 ms unless given. */
  timeoutMs?: number;
  /** How often a request is sent again, 2 unless given; 0: never. */
  maxRetries?: number;
  /** Instead of the `fetch` of the system. */
  fetch?: typeof globalThis.fetch;
  /** Instead of `JSON.parse`, which rounds numbers of more than 15 digits. */
  parse?: (text: string) => unknown;
}

/** A request, with what the client and the call say about it. */
export interface Sending extends ApiRequest {
  stream: boolean;
  client: ClientOptions;
  call: CallOptions;
}

/** Sends a request, again where that is safe. @throws FabulaError, FabulaConnectionError, or the reason of the signal. */
export async function send(sending: Sending): Promise<Answer<unknown>> {
  const { client, call } = sending;
  const most = call.maxRetries ?? client.maxRetries ?? 2;
  for (let retries = 0; ; retries += 1) {
    try {
      return await attempt(sending);
    } catch (error) {
      const pause = retries < most ? pauseBefore(error, isRepeatable(sending), retries) : undefined;
      if (pause === undefined) throw error;
      await sleep(pause, call.signal);
    }
  }
}

/** Whether a request that may have been carried out can be sent again. */
function isRepeatable({ method, call }: Sending): boolean {
  return method !== 'POST' || call.idempotencyKey !== undefined;
}

async function attempt(sending: Sending): Promise<Answer<unknown>> {
  const { client, call, stream } = sending;
  const timeoutMs = call.timeoutMs ?? client.timeoutMs ?? 60_000;
  const limit = createLimit(call.signal, stream ? { eachMs: SILENT_MS } : { totalMs: timeoutMs });
  const named = (error: unknown) => namedError(error, sending, { limit, timeoutMs });
  let isOpen = false;
  try {
    const response = await limit.wait(request(sending, limit));
    if (!response.ok) throw await refusalOf(response, limit);
    isOpen = stream && isStream(response);
    if (isOpen) return { data: eventsOf(response, limit, named), response };
    return { data: dataOf(response, await textOf(response, limit), sending), response };
  } catch (error) {
    throw named(error);
  } finally {
    if (!isOpen) limit.end();
  }
}

/** Returns the error that the caller sees: what the server says and the reason of a signal stay as they are. */
function namedError(
  error: unknown,
  sending: Sending,
  { limit, timeoutMs }: { limit: Limit; timeoutMs: number },
): unknown {
  const { method, call, stream } = sending;
  if (error instanceof FabulaError || call.signal?.aborted) return error;
  const place = addressOf(sending)
    .replace(/\?.*$/s, '')
    .replace(/\/\/[^/]*@/, '//');
  if (!limit.isOver()) return new FabulaConnectionError(method, place, reasonOf(error), error);
  if (stream) return new FabulaConnectionError(method, place, 'The stream is silent', error);
  return new FabulaTimeoutError(method, place, timeoutMs, error);
}

function request(sending: Sending, { signal }: Limit): Promise<Response> {
  const { method, body, client } = sending;
  const { fetch = globalThis.fetch } = client;
  return fetch(addressOf(sending), {
    method,
    headers: headersOf(sending),
    // The key is for this server alone.
    redirect: 'manual',
    signal,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

async function refusalOf(response: Response, limit: Limit): Promise<FabulaError> {
  const { status, type } = response;
  if (type !== 'opaqueredirect' && (status < 300 || status >= 400 || status === 304))
    return errorOf(response, await textOf(response, limit));
  void response.body?.cancel().catch(() => undefined);
  return errorOf(response, JSON.stringify({ errors: [{ message: REDIRECTED }] }));
}

const REDIRECTED =
  'the address leads to another one, which is not followed: the key is for this server alone';

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}

function addressOf({ client, address }: Sending): string {
  return client.url.replace(/\/+$/, '') + address;
}

function headersOf({ client: { key }, call, stream }: Sending): Record<string, string> {
  const headers = new Headers({
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    'Content-Type': 'application/json',
    Accept: stream ? 'text/event-stream' : 'application/json, text/plain',
    ...(call.idempotencyKey !== undefined && { 'Idempotency-Key': call.idempotencyKey }),
  });
  for (const [name, value] of Object.entries(call.headers ?? {})) headers.set(name, value);
  return Object.fromEntries(headers);
}

/** A text that the server answers bare is no JSON. */
function dataOf(response: Response, text: string, { stream, client }: Sending): unknown {
  const { parse = parseJson } = client;
  if (stream) throw new Error('the answer is no stream of events');
  if (text === '' && response.status === 204) return undefined;
  if (response.headers.get('content-type')?.startsWith('text/plain')) return text;
  try {
    return parse(text);
  } catch (error) {
    throw new Error('the answer is no JSON', { cause: error });
  }
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

/** `fetch` says why it failed in the cause. */
function reasonOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string; code?: string } };
  if (!(error instanceof TypeError)) return message || 'no answer';
  return cause?.message || cause?.code || message || 'no answer';
}
