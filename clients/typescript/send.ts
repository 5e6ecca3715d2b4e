import type { Answer, CallOptions } from './calls.js';
import { errorOf, FabulaConnectionError, FabulaError, FabulaTimeoutError } from './errors.js';
import type { ApiRequest } from './request.js';
import { pauseBefore, sleep } from './retries.js';
import { eventsOf, watchSilence } from './stream.js';

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
  const { method, client, call, stream } = sending;
  const timeoutMs = call.timeoutMs ?? client.timeoutMs ?? 60_000;
  const silence = stream ? watchSilence() : undefined;
  const limit = silence?.signal ?? AbortSignal.timeout(timeoutMs);
  const named = (error: unknown) => {
    if (error instanceof FabulaError || call.signal?.aborted) return error;
    const place = addressOf(sending)
      .replace(/\?.*$/s, '')
      .replace(/\/\/[^/]*@/, '//');
    if (silence === undefined && limit.aborted)
      return new FabulaTimeoutError(method, place, timeoutMs, error);
    return new FabulaConnectionError(method, place, reasonOf(error), error);
  };
  try {
    const response = await request(sending, limit);
    if (silence !== undefined && response.ok) return { data: eventsOf(response, silence, named), response };
    const data = dataOf(response, await response.text(), client);
    return { data, response };
  } catch (error) {
    silence?.end();
    throw named(error);
  }
}

function request(sending: Sending, limit: AbortSignal): Promise<Response> {
  const { method, body, client, call } = sending;
  const { fetch = globalThis.fetch } = client;
  return fetch(addressOf(sending), {
    method,
    headers: headersOf(sending),
    // The key is for this server alone.
    redirect: 'error',
    signal: call.signal ? AbortSignal.any([call.signal, limit]) : limit,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
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
function dataOf(response: Response, text: string, { parse = parseJson }: ClientOptions): unknown {
  if (!response.ok) throw errorOf(response, text);
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
