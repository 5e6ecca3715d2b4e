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
  /** The client accepts plain text rather than JSON. */
  asText: boolean;
  /** Stores the run; a second function call stores the same run. `awaited`: the run's response is recorded. */
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
 * or if no slot was granted: the tenant's limit is reached, or Redis is down. The slot is requested while the run
 * is stored: nearly every request gets one, so waiting for both in turn would only cost time (decision 0025).
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

/** If an awaited run cannot be stored because MySQL is down, one that is not awaited still can (promise 5). */
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

/** Returns the slot decision if it is known without I/O (a disconnected Redis fails at once); otherwise undefined. */
function knownNow(asked: Promise<SlotRequest>): Promise<SlotRequest | undefined> {
  // `nextTick` runs after the callbacks of all promises that are settled by now.
  return Promise.race([asked, new Promise<undefined>((resolve) => process.nextTick(resolve, undefined))]);
}

/** Not awaited: `release` logs its own failure, and the lease expires anyway. */
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
