import type { Claim } from '../../../agents/face.js';
import type { ClaimOutcome } from '../../state/outcome.js';

/** A claim of one kind. */
export type ClaimOf<Kind extends Claim['kind']> = ClaimOutcome & { claim: Extract<Claim, { kind: Kind }> };

/** Returns the claims of this kind by agent, agents ascending, the common order of locks (rule 2). */
export function claimsByAgent<Kind extends Claim['kind']>(
  claims: ClaimOutcome[],
  kind: Kind,
): [agentId: number, claims: ClaimOf<Kind>[]][] {
  const groups = new Map<number, ClaimOf<Kind>[]>();
  for (const outcome of claims) {
    if (!isOfKind(outcome, kind)) continue;
    const group = groups.get(outcome.delivery.agentId);
    if (group === undefined) groups.set(outcome.delivery.agentId, [outcome]);
    else group.push(outcome);
  }
  return [...groups].toSorted(([a], [b]) => a - b);
}

function isOfKind<Kind extends Claim['kind']>(outcome: ClaimOutcome, kind: Kind): outcome is ClaimOf<Kind> {
  return outcome.claim.kind === kind;
}
