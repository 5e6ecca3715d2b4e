import type { Answer } from './answer.js';
import type { ResponseSlots, SlotRequest } from './response-slots.js';
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
  /** Stores the run, the same one when called again; `awaited` when its response shall be recorded. */
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
 * for a run that ends without an exit, the configured response (spec §4.7). Leave is asked for while the run
 * is stored: nearly every call has it, and would wait for one after the other (decision 0025).
 */
export async function answerFromRun(run: AwaitedRun, deps: AwaitedAnswerDeps): Promise<AwaitedAnswer> {
  const deadline = performance.now() + run.waitMs;
  const ticket = deps.waiter.expect(run.guid);
  const asked = deps.slots.acquire(run.tenantId, run.guid);
  try {
    run.onCallerGone(() => ticket.cancel());
    const slot = await startWith(asked, run);
    if (slot.kind === 'granted') {
      return await answerOf(await ticket.wait(Math.max(0, deadline - performance.now())), run);
    }
    const serviceStatus = slot.kind === 'limit' ? 'limit_reached' : 'data_received';
    return { answer: await run.configured(), serviceStatus };
  } finally {
    ticket.cancel();
    void endOf(asked);
  }
}

/** A run that nobody waits for is accepted where one that is awaited cannot be: while the database is away (promise 5). */
async function startWith(asked: Promise<SlotRequest>, run: AwaitedRun): Promise<SlotRequest> {
  const known = await knownNow(asked);
  const mayWait = known === undefined || known.kind === 'granted';
  try {
    await run.start(mayWait);
  } catch (error) {
    const slot = await asked;
    if (!mayWait || slot.kind === 'granted') throw error;
    await run.start(false);
  }
  return asked;
}

/** The answer to what is asked, where it takes nobody's: that Redis is away is known at once. */
function knownNow(asked: Promise<SlotRequest>): Promise<SlotRequest | undefined> {
  // After all promises that are settled now.
  return Promise.race([asked, new Promise<undefined>((resolve) => process.nextTick(resolve, undefined))]);
}

/** Nobody waits for this: it reports its own failure, and the lease ends by itself. */
async function endOf(asked: Promise<SlotRequest>): Promise<void> {
  const slot = await asked;
  if (slot.kind === 'granted') await slot.release();
}

async function answerOf(outcome: WaitOutcome, run: AwaitedRun): Promise<AwaitedAnswer> {
  if (outcome.kind === 'response') {
    return { answer: answerFromPayload(outcome.payload, run.asText), serviceStatus: 'ok' };
  }
  const answer = outcome.kind === 'timeout' ? TIMED_OUT_ANSWER : await run.configured();
  return { answer, serviceStatus: 'data_received' };
}
