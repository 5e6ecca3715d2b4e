import { type Actor, canRead } from '../../../api/face.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { Problem } from '../../../platform/errors.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { MAX_CHILDREN } from './record-family.js';
import { lockCaseTeams } from './record-lock-store.js';
import { countChildren, findCaseTeams, findRecord } from '../record-store.js';
import type { RecordType } from '../types/record-type.js';
import { lockRecord } from './record-write-store.js';

/** `hold`: lock the rows for a write that follows in the same transaction. `look`: only report problems. */
export type Hold = 'hold' | 'look';

/** Returns the faults of the parent of a new record of this type. With `hold`, the parent is locked against deletion. */
export async function checkParent(
  actor: Actor,
  parentId: number | null | undefined,
  { type, hold }: { type: RecordType; hold: Hold },
  session: Session,
): Promise<Problem[]> {
  if (parentId === undefined || parentId === null) return [];
  const details = 'parent_record_id';
  const parent = await findRecord(parentId, actor.tenantId, session);
  if (parent === undefined || !canRead(actor, parent.teamId)) {
    return [{ message: `${details} is not a record: ${parentId}`, details }];
  }
  if (parent.teamId !== type.teamId) {
    return [{ message: `${details} belongs to another team: ${parentId}`, details }];
  }
  if (hold === 'hold' && !(await lockRecord(parentId, session)))
    return [{ message: `${details} is not a record: ${parentId}`, details }];
  if ((await countChildren(parentId, session)) >= MAX_CHILDREN) {
    return [{ message: `${details} already has ${MAX_CHILDREN} children`, details }];
  }
  return [];
}

/** Returns the faults of the cases to attach a record of this type to. With `hold`, the cases are locked against deletion. */
export async function checkCases(
  actor: Actor,
  caseIds: Usable<number[]>,
  { type, hold }: { type: RecordType; hold: Hold },
  session: Session,
): Promise<Problem[]> {
  if (caseIds.length === 0) return [];
  const given = caseIds.filter((id) => id !== undefined);
  const teams =
    hold === 'hold'
      ? await lockCaseTeams(given, actor.tenantId, session)
      : await findCaseTeams(given, session);
  return caseIds.flatMap((id, index) => {
    if (id === undefined) return [];
    const details = `case_ids[${index}]`;
    const teamId = teams.get(id);
    if (teamId === undefined || !canRead(actor, teamId))
      return [{ message: `${details} is not a case: ${id}`, details }];
    return teamId === type.teamId ? [] : [{ message: `${details} belongs to another team: ${id}`, details }];
  });
}
