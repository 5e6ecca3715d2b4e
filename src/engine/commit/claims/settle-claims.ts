import type { Session } from '../../../platform/mysql/session.js';
import type { Outcome, SettledOutcome } from '../../state/outcome.js';
import { settleDuplicates } from './settle-duplicates.js';
import { settleRecords } from './settle-records.js';
import { settleThrottled } from './settle-throttled.js';

/** THE list of settlers of claims. */
const SETTLERS = [settleDuplicates, settleThrottled, settleRecords];

/**
 * Replaces each claim by its outcome, decided on state rows that stay locked until the transaction ends (rule 10). Other
 * outcomes are returned unchanged.
 */
export async function settleClaims(session: Session, outcomes: Outcome[]): Promise<SettledOutcome[]> {
  const claims = outcomes.filter((outcome) => outcome.kind === 'claim');
  const settled = new Map<Outcome, SettledOutcome>();
  if (claims.length > 0) {
    for (const settle of SETTLERS) {
      for (const [claim, outcome] of await settle(session, claims)) settled.set(claim, outcome);
    }
  }
  return outcomes.map((outcome) => {
    if (outcome.kind !== 'claim') return outcome;
    const decided = settled.get(outcome);
    if (decided === undefined) throw new Error(`No settler for a claim of kind ${outcome.claim.kind}`);
    return decided;
  });
}
