import type { Answer } from './answer.js';
import type { ResponseSlots, SlotRequest } from './response-slots.js';
import type { ResponseTicket, ResponseWaiter, WaitOutcome } from './response-waiter.js';
import { answerFromPayload, TIMED_OUT_ANSWER } from './run-answer.js';

/** Values of the header `X-Service-Status` on response-enabled webhooks. */
type ServiceStatus = 'ok' | 'data_received' | 'limit_reached';

export interface AwaitedAnswer {
  answer: Answer;
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
  configured(): Promise<Answer>;
  /** Calls `giveUp` when the client disconnects. */
  onCallerGone(giveUp: () => void): void;
}

export interface AwaitedAnswerDeps {
  slots: ResponseSlots;
  waiter: ResponseWaiter;
}

/**
 * Starts a run and waits for its first exit. Returns the configured response (spec §4.7) if the run ends without an exit,
 * or if no slot was granted: the tenant's limit is reached, or Redis is down.
 */
export async function answerFromRun(run: AwaitedRun, deps: AwaitedAnswerDeps): Promise<AwaitedAnswer> {
  const deadline = performance.now() + run.waitMs;
  const ticket = deps.waiter.expect(run.guid);
  try {
    run.onCallerGone(() => ticket.cancel());
    const slot = await deps.slots.acquire(run.tenantId, run.guid);
    if (slot.kind === 'granted') return await answerWithSlot(run, { slot, ticket, deadline });
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

async function answerWithSlot(run: AwaitedRun, { slot, ticket, deadline }: OpenWait): Promise<AwaitedAnswer> {
  try {
    await run.start(true);
    return await answerOf(await ticket.wait(Math.max(0, deadline - performance.now())), run);
  } finally {
    // Not awaited: `release` logs its own failure, and the lease expires anyway.
    void slot.release();
  }
}

async function answerOf(outcome: WaitOutcome, run: AwaitedRun): Promise<AwaitedAnswer> {
  if (outcome.kind === 'response') {
    return { answer: answerFromPayload(outcome.payload, run.asText), serviceStatus: 'ok' };
  }
  const answer = outcome.kind === 'timeout' ? TIMED_OUT_ANSWER : await run.configured();
  return { answer, serviceStatus: 'data_received' };
}
