import type { Answer } from './answer.js';
import type { ResponseSlots } from './response-slots.js';
import type { ResponseWaiter, WaitOutcome } from './response-waiter.js';
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
  /** The caller wants text rather than JSON. */
  asText: boolean;
  /** Stores the run; `awaited` when its response shall be recorded. */
  start(awaited: boolean): Promise<void>;
  configured(): Promise<Answer>;
  /** Calls `giveUp` when the caller goes away. */
  onCallerGone(giveUp: () => void): void;
}

export interface AwaitedAnswerDeps {
  slots: ResponseSlots;
  waiter: ResponseWaiter;
}

/**
 * Starts a run and waits for its first exit. Without leave to wait (over the tenant's limit, Redis down) and
 * for a run that ends without an exit, the configured response (decisions §4, Response-enabled).
 */
export async function answerFromRun(run: AwaitedRun, deps: AwaitedAnswerDeps): Promise<AwaitedAnswer> {
  const slot = await deps.slots.acquire(run.tenantId, run.guid);
  if (slot.kind !== 'granted') {
    await run.start(false);
    const serviceStatus = slot.kind === 'limit' ? 'limit_reached' : 'data_received';
    return { answer: await run.configured(), serviceStatus };
  }
  try {
    return await answerOf(await awaitOutcome(run, deps.waiter), run);
  } finally {
    // Nobody waits for this: it reports its own failure, and the lease ends by itself.
    void slot.release();
  }
}

async function awaitOutcome(run: AwaitedRun, waiter: ResponseWaiter): Promise<WaitOutcome> {
  const deadline = performance.now() + run.waitMs;
  const ticket = waiter.expect(run.guid);
  try {
    run.onCallerGone(() => ticket.cancel());
    await run.start(true);
    return await ticket.wait(Math.max(0, deadline - performance.now()));
  } finally {
    ticket.cancel();
  }
}

async function answerOf(outcome: WaitOutcome, run: AwaitedRun): Promise<AwaitedAnswer> {
  if (outcome.kind === 'response') {
    return { answer: answerFromPayload(outcome.payload, run.asText), serviceStatus: 'ok' };
  }
  const answer = outcome.kind === 'timeout' ? TIMED_OUT_ANSWER : await run.configured();
  return { answer, serviceStatus: 'data_received' };
}
