import type { WebhookResponse } from './response.js';
import type { ResponseSlots, SlotRequest } from './response-slots.js';
import type { ResponseTicket, ResponseWaiter, WaitOutcome } from './response-waiter.js';
import { responseFromPayload, TIMED_OUT_RESPONSE } from './run-response.js';

/** Values of the header `X-Service-Status` on response-enabled webhooks. */
type ServiceStatus = 'ok' | 'data_received' | 'limit_reached';

export interface AwaitedResponse {
  answer: WebhookResponse;
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
    return { answer: await run.configured(), serviceStatus };
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
    return { answer: responseFromPayload(outcome.payload, run.asText), serviceStatus: 'ok' };
  }
  const answer = outcome.kind === 'timeout' ? TIMED_OUT_RESPONSE : await run.configured();
  return { answer, serviceStatus: 'data_received' };
}
