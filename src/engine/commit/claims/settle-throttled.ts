import type { Session } from '../../../platform/mysql/session.js';
import { databaseNowMs, lockMemory, saveMemory } from '../../../stories/face.js';
import type { ClaimOutcome, SettledOutcome, UndoneOutcome } from '../../state/outcome.js';
import { claimsByAgent, type ClaimOf } from './claims.js';

const MEMORY = 'throttle';

/** The last assigned slot: its time, and the number of events in it. */
export interface ThrottleState {
  slotAtMs: number;
  used: number;
}

/**
 * Returns for each claim, in order, when it may pass (ms since 1970, by the clock of `nowMs`). Slots are `slotMs` apart
 * and let `perSlot` through, over all workers. Updates `state`.
 */
export function takeSlots(
  claims: readonly ClaimOf<'throttle'>['claim'][],
  state: ThrottleState,
  nowMs: number,
): number[] {
  return claims.map(({ perSlot, slotMs }) => {
    if (state.slotAtMs + slotMs <= nowMs) {
      state.slotAtMs = nowMs;
      state.used = 0;
    } else if (state.used >= perSlot) {
      state.slotAtMs += slotMs;
      state.used = 0;
    }
    state.used += 1;
    return state.slotAtMs;
  });
}

/** Settles the claims of throttle agents: an event that must wait sleeps until its slot, then passes. */
export async function settleThrottled(
  session: Session,
  claims: ClaimOutcome[],
): Promise<Map<ClaimOutcome, SettledOutcome>> {
  const settled = new Map<ClaimOutcome, SettledOutcome>();
  for (const [agentId, mine] of claimsByAgent(claims, 'throttle')) {
    const initial: ThrottleState = { slotAtMs: 0, used: 0 };
    const state = await lockMemory(session, { agentId, name: MEMORY, initial });
    const nowMs = await databaseNowMs(session);
    const times = takeSlots(
      mine.map(({ claim }) => claim),
      state,
      nowMs,
    );
    mine.forEach((outcome, index) => settled.set(outcome, passAt(outcome, (times[index] ?? nowMs) - nowMs)));
    await saveMemory(session, { agentId, name: MEMORY, value: state });
  }
  return settled;
}

/** Returns the outcome of a claim that may pass after `waitMs`; 0 or less: now. */
export function passAt({ delivery, granted, logs }: ClaimOutcome, waitMs: number): SettledOutcome {
  if (waitMs <= 0) return granted;
  const delayMs = Math.ceil(waitMs);
  const asleep: UndoneOutcome = { kind: 'sleep', delivery, delayMs, reason: 'throttle', error: null, logs };
  return asleep;
}
