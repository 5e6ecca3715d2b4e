import type { Session } from '../../../platform/mysql/session.js';
import { type Outcome, type SettledOutcome, deadLetter, type ClaimOutcome } from '../../state/outcome.js';
import { settleDuplicates } from './settle-duplicates.js';
import { type RecordToWrite, writeStoryRecords, type WrittenRecord } from '../../../data/face.js';
import type { ClaimOf } from './claims.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
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

/**
 * Settles claims to write records: the written record is the agent's output. A record that cannot be written becomes a
 * dead letter, or goes down the failure links, and does not affect the others.
 */
async function settleRecords(
  session: Session,
  claims: ClaimOutcome[],
): Promise<Map<ClaimOutcome, SettledOutcome>> {
  const mine = claims.filter((outcome): outcome is ClaimOf<'record'> => outcome.claim.kind === 'record');
  if (mine.length === 0) return new Map();
  const written = await writeStoryRecords(mine.map(toStoryRecord), session);
  return new Map(
    mine.map((outcome, index) => [outcome, settledBy(outcome, written[index] ?? { problem: 'not written' })]),
  );
}

/** Returns the record that the agent's claim asks for. */
export function toStoryRecord({ claim, story, delivery }: ClaimOf<'record'>): RecordToWrite {
  return {
    tenantId: story.tenantId,
    teamId: story.teamId,
    typeName: claim.recordType,
    values: claim.values,
    story: { id: story.id, name: story.name },
    storyRunGuid: delivery.storyRunGuid,
    testMode: story.draftOf !== undefined,
  };
}

/** Returns the outcome with the record as event, also in calling stories if the agent is an exit of a called one. */
export function settledBy(
  { delivery, granted, failed, logs }: ClaimOutcome,
  written: WrittenRecord,
): SettledOutcome {
  if (written.problem !== undefined) {
    const bare = deadLetter(delivery, written.problem);
    const letter = { ...bare, logs: [...logs, ...bare.logs] };
    return failed?.(letter) ?? letter;
  }
  const payload = stringifyJson(written.record);
  return { ...granted, outputs: granted.outputs.map((output) => ({ ...output, payload })) };
}
