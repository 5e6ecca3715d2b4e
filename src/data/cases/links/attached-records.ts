import type { Actor } from '../../../api/face.js';
import type { Session } from '../../../platform/mysql/session.js';
import { createCaseScene } from '../case-scene.js';
import { lockCases } from '../case-store.js';

/** Adds an activity to each case that the record was attached to, in the transaction that attached it. */
export async function noteAttachedRecord(
  actor: Actor,
  recordId: number,
  caseIds: readonly number[],
  session: Session,
): Promise<void> {
  if (caseIds.length === 0) return;
  for (const stored of await lockCases([...caseIds], actor.tenantId, session)) {
    await createCaseScene(stored, actor, session).note('RECORD_RESULT_SET_ADDED', String(recordId));
  }
}
