import type { Session } from '../../../platform/mysql/session.js';
import { type StoryRecord, writeStoryRecords, type WrittenRecord } from '../../../records/story-records.js';
import { deadLetter } from '../../state/outcome.js';
import type { ClaimOutcome, SettledOutcome } from '../../state/outcome.js';
import type { ClaimOf } from './claims.js';

/**
 * Settles the claims of records: each is written, and is what its action puts out. One that cannot be written is a dead
 * letter of its own; the others do not wait for it.
 */
export async function settleRecords(
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

/** The record that such an action wants written. */
export function toStoryRecord({ claim, story, delivery }: ClaimOf<'record'>): StoryRecord {
  return {
    tenantId: story.tenantId,
    teamId: story.teamId,
    typeName: claim.recordType,
    values: claim.values,
    story: { id: story.id, name: story.name },
    storyRunGuid: delivery.storyRunGuid,
  };
}

/** The outcome with the record as the event; upwards too, where the action is an exit of a story that was called. */
export function settledBy({ delivery, granted, logs }: ClaimOutcome, written: WrittenRecord): SettledOutcome {
  if (written.problem !== undefined) {
    const letter = deadLetter(delivery, written.problem);
    return { ...letter, logs: [...logs, ...letter.logs] };
  }
  const payload = JSON.stringify(written.record);
  return { ...granted, outputs: granted.outputs.map((output) => ({ ...output, payload })) };
}
