import { makeResponse, type WebhookResponse } from './response.js';
import type { ResponseSlots, SlotRequest } from './response-slots.js';
import type { ResponseTicket, ResponseWaiter, WaitOutcome } from './response-waiter.js';
import { isJsonObject, type JsonValue } from '../../../platform/json.js';
import { chosenHeaders } from '../chosen-headers.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

/** Response if a run reached no exit in time. The run itself continues. */
const TIMED_OUT_RESPONSE = makeResponse(504, 'The story did not respond in time; its run continues');

const SHAPE_KEYS = new Set(['status', 'body', 'headers']);

/** Values of the header `X-Service-Status` on response-enabled webhooks. */
type ServiceStatus = 'ok' | 'data_received' | 'limit_reached';

export interface AwaitedResponse {
  response: WebhookResponse;
  serviceStatus: ServiceStatus;
}

export interface AwaitedRun {
  tenantId: number;
  guid: string;
  waitMs: number;
  /** The client accepts plain text rather than JSON. */
  asText: boolean;
  /** Stores the run. `awaited`: the run's response is recorded. */
  start(awaited: boolean): Promise<void>;
  configured(): Promise<WebhookResponse>;
  /** Calls `giveUp` when the client disconnects. */
  onCallerGone(giveUp: () => void): void;
}

export interface AwaitedResponseDeps {
  slots: ResponseSlots;
  waiter: ResponseWaiter;
}

/**
 * Starts a run and waits for its first exit. Returns the configured response (spec §4.7) if the run ends without an exit,
 * or if no slot was granted: the tenant's limit is reached, or Redis is down.
 */
export async function responseFromRun(run: AwaitedRun, deps: AwaitedResponseDeps): Promise<AwaitedResponse> {
  const deadline = performance.now() + run.waitMs;
  const ticket = deps.waiter.expect(run.guid);
  try {
    run.onCallerGone(() => ticket.cancel());
    const slot = await deps.slots.acquire(run.tenantId, run.guid);
    if (slot.kind === 'granted') return await responseWithSlot(run, { slot, ticket, deadline });
    await run.start(false);
    const serviceStatus = slot.kind === 'limit' ? 'limit_reached' : 'data_received';
    return { response: await run.configured(), serviceStatus };
  } finally {
    ticket.cancel();
  }
}

interface OpenWait {
  slot: Extract<SlotRequest, { kind: 'granted' }>;
  ticket: ResponseTicket;
  /** On the clock of `performance.now()`. */
  deadline: number;
}

async function responseWithSlot(
  run: AwaitedRun,
  { slot, ticket, deadline }: OpenWait,
): Promise<AwaitedResponse> {
  try {
    await run.start(true);
    return await responseOf(await ticket.wait(Math.max(0, deadline - performance.now())), run);
  } finally {
    // Not awaited: `release` logs its own failure, and the lease expires anyway.
    void slot.release();
  }
}

async function responseOf(outcome: WaitOutcome, run: AwaitedRun): Promise<AwaitedResponse> {
  if (outcome.kind === 'response') {
    return { response: responseFromPayload(outcome.payload, run.asText), serviceStatus: 'ok' };
  }
  const response = outcome.kind === 'timeout' ? TIMED_OUT_RESPONSE : await run.configured();
  return { response, serviceStatus: 'data_received' };
}

/**
 * Builds the response from an exit's payload: `{status, body[, headers]}` is the whole response, any other payload is
 * the content of a 200 (spec §4.7). `asText`: the client accepts plain text, not JSON.
 */
export function responseFromPayload(payload: JsonValue, asText: boolean): WebhookResponse {
  const shaped = readShape(payload);
  if (shaped === undefined) return asText ? plain(payload) : json(payload);
  const { status, body } = shaped;
  const chosen = chosenHeaders(shaped.headers, status);
  if (typeof body === 'object' && body !== null && asText) {
    return makeResponse(status, stringifyJson(body), { ...chosen, contentType: 'text/plain' });
  }
  return makeResponse(status, body, chosen);
}

function plain(payload: JsonValue): WebhookResponse {
  return makeResponse(200, typeof payload === 'string' ? payload : stringifyJson(payload));
}

function json(payload: JsonValue): WebhookResponse {
  return makeResponse(200, stringifyJson(payload), { contentType: 'application/json' });
}

interface Shape {
  status: number;
  body: JsonValue;
  headers: JsonValue | undefined;
}

/** If the payload has any other key, it is data that happens to have a status. */
function readShape(payload: JsonValue): Shape | undefined {
  if (!isJsonObject(payload) || !Object.keys(payload).every((key) => SHAPE_KEYS.has(key))) return undefined;
  const { status, body, headers } = payload;
  const isCode = typeof status === 'number' || (typeof status === 'string' && /^\d{3}$/.test(status));
  const code = isCode ? Number(status) : 0;
  if (body === undefined || !Number.isInteger(code) || code < 200 || code > 599) return undefined;
  return { status: code, body, headers };
}
