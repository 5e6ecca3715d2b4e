import { createHash } from 'node:crypto';
import type { Session } from '../../../platform/mysql/session.js';
import {
  findSeenValues,
  rememberValues,
  type SeenValue,
  trimSeenValues,
} from '../../state/deliveries/deduplicate-store.js';
import { lockMemory, saveMemory } from '../../../stories/face.js';
import type { ClaimOutcome, SettledOutcome } from '../../state/outcome.js';
import { claimsByAgent, type ClaimOf } from './claims.js';

/** The name of its memory. */
export const DEDUPLICATE_MEMORY = 'deduplicate';

/** A deduplicate agent's memory: the number of the last value it let through. */
export interface DeduplicateState {
  seq: number;
}

/** A value that was let through: its number and its age. */
export type Seen = Pick<SeenValue, 'seq' | 'ageMs'>;

/**
 * Returns for each claim, in order, whether its value is new; a value let through counts for later claims. Updates `seen`
 * and `state`. A value counts as seen while it is among the last `lookback` values let through and, with a period, not
 * older than that. A value that may pass several times is stored as that many values.
 */
export function judgeDuplicates(
  claims: readonly ClaimOf<'deduplicate'>['claim'][],
  seen: Map<string, Seen>,
  state: DeduplicateState,
): boolean[] {
  return claims.map((claim) => {
    const { lookback, periodSeconds } = claim;
    const isKnown = (digest: string): boolean => {
      const before = seen.get(digest);
      const isRecent = before !== undefined && before.seq > state.seq - lookback;
      return isRecent && (periodSeconds === undefined || before.ageMs < periodSeconds * 1000);
    };
    const free = claimDigests(claim).find((digest) => !isKnown(digest));
    if (free === undefined) return false;
    state.seq += 1;
    seen.set(free, { seq: state.seq, ageMs: 0 });
    return true;
  });
}

/** Returns the digests that the value is stored as: one for each time it may pass. */
export function claimDigests({ digest, tolerance }: ClaimOf<'deduplicate'>['claim']): string[] {
  const others = Array.from({ length: tolerance - 1 }, (_, index) =>
    createHash('sha256').update(`${digest}:${index}`).digest('hex'),
  );
  return [digest, ...others];
}

/** Settles the claims of deduplicate agents. */
export async function settleDuplicates(
  session: Session,
  claims: ClaimOutcome[],
): Promise<Map<ClaimOutcome, SettledOutcome>> {
  const settled = new Map<ClaimOutcome, SettledOutcome>();
  for (const [agentId, mine] of claimsByAgent(claims, 'deduplicate')) {
    const state = await lockMemory<DeduplicateState>(session, {
      agentId,
      name: DEDUPLICATE_MEMORY,
      initial: { seq: 0 },
    });
    const before = state.seq;
    const seen: Map<string, Seen> = await findSeenValues(
      session,
      agentId,
      mine.flatMap(({ claim }) => claimDigests(claim)),
    );
    const verdicts = judgeDuplicates(
      mine.map(({ claim }) => claim),
      seen,
      state,
    );
    mine.forEach((outcome, index) =>
      settled.set(outcome, verdicts[index] === true ? outcome.granted : outcome.refused),
    );
    if (state.seq === before) continue;
    const news = [...seen].flatMap(([digest, { seq }]) => (seq > before ? [{ digest, seq }] : []));
    await rememberValues(session, agentId, news);
    await saveMemory(session, { agentId, name: DEDUPLICATE_MEMORY, value: state });
    await trimSeenValues(session, agentId, boundsOf(mine, state));
  }
  return settled;
}

/** Returns the bounds of stored values that no claim needs any more. */
function boundsOf(claims: ClaimOf<'deduplicate'>[], state: DeduplicateState) {
  const lookback = Math.max(...claims.map(({ claim }) => claim.lookback));
  const periods = claims.map(({ claim }) => claim.periodSeconds);
  const known = periods.filter((period) => period !== undefined);
  return {
    upToSeq: state.seq - lookback,
    olderThanSeconds: known.length === periods.length ? Math.max(...known) : undefined,
  };
}
