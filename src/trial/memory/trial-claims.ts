import {
  type ClaimOutcome,
  type DeliveryRow,
  claimDigests,
  judgeDuplicates,
  type Outcome,
  passAt,
  settledBy,
  type SettledOutcome,
  takeSlots,
  type ThrottleState,
  toStoryRecord,
} from '../../engine/face.js';
import type { Claim } from '../../agents/face.js';
import type { TrialClock } from './trial-deliveries.js';
import type { WriteRecord } from './trial-records.js';

type ClaimTo<Kind extends Claim['kind']> = Extract<Claim, { kind: Kind }>;

/** The values that one deduplicate agent let through. */
interface Memory {
  state: { seq: number };
  seen: Map<string, { seq: number; atMs: number }>;
}

/** Whether the memory of the action let the value of this delivery through; undefined: not known. */
export type KnownNew = (delivery: DeliveryRow) => boolean | undefined;

export interface TrialClaimsDeps {
  clock: TrialClock;
  writeRecord: WriteRecord;
  /** Returns whether a value is let through, if that is known from elsewhere. */
  isKnownNew?: KnownNew | undefined;
}

/** Settles claims by the same rules as the server (engine/commit/claims). */
export function createTrialClaims({ clock, writeRecord, isKnownNew }: TrialClaimsDeps): {
  settle(outcome: Outcome): SettledOutcome;
} {
  const memories = new Map<number, Memory>();
  const throttles = new Map<number, ThrottleState>();

  const isNew = (agentId: number, claim: ClaimTo<'deduplicate'>): boolean => {
    const memory = memories.get(agentId) ?? { state: { seq: 0 }, seen: new Map() };
    memories.set(agentId, memory);
    const known = claimDigests(claim).flatMap((digest) => {
      const before = memory.seen.get(digest);
      return before === undefined ? [] : [[digest, aged(before)] as const];
    });
    const seen = new Map(known);
    const [verdict = false] = judgeDuplicates([claim], seen, memory.state);
    const { seq } = memory.state;
    for (const [digest, now] of seen)
      if (verdict && now.seq === seq) memory.seen.set(digest, { seq, atMs: clock.nowMs() });
    return verdict;
  };
  const aged = ({ seq, atMs }: { seq: number; atMs: number }) => ({ seq, ageMs: clock.nowMs() - atMs });

  const waitOf = (agentId: number, claim: ClaimTo<'throttle'>): number => {
    const state = throttles.get(agentId) ?? { slotAtMs: 0, used: 0 };
    throttles.set(agentId, state);
    const [slotAtMs = 0] = takeSlots([claim], state, clock.nowMs());
    return slotAtMs - clock.nowMs();
  };

  const settleClaim = (outcome: ClaimOutcome): SettledOutcome => {
    const { claim, delivery, granted, refused } = outcome;
    if (claim.kind === 'record') return settledBy(outcome, writeRecord(toStoryRecord({ ...outcome, claim })));
    if (claim.kind === 'throttle') return passAt(outcome, waitOf(delivery.agentId, claim));
    return (isKnownNew?.(delivery) ?? isNew(delivery.agentId, claim)) ? granted : refused;
  };

  return { settle: (outcome) => (outcome.kind === 'claim' ? settleClaim(outcome) : outcome) };
}
