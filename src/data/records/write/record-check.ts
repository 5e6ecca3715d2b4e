import { type Actor, canRead, requireTeam } from '../../../api/face.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { Problem } from '../../../platform/errors.js';
import { mergedProblems } from '../../../platform/validation/validate.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import type { FieldValue } from '../field-value.js';
import { lockCaseTeams } from './record-lock-store.js';
import { countChildren, findCaseTeams, findRecord } from '../record-store.js';
import { lockRecord } from './record-write-store.js';
import { type FamilyChanges, type FamilyPlan, MAX_CHILDREN, planFamily } from './record-family.js';
import { getRecordType } from '../types/record-type-service.js';
import type { RecordField, RecordType } from '../types/record-type.js';
import { checkFieldValues, checkSize, type FieldValueInput } from './record-values.js';
import type { StoredRecord } from '../record.js';

/** `hold`: lock the rows for a write that follows in the same transaction. `look`: only report problems. */
type Hold = 'hold' | 'look';

/** The body of a POST. */
export interface RecordInput {
  record_type_id: number;
  field_values: FieldValueInput[];
  parent_record_id?: number | null | undefined;
  case_ids: number[];
  test_mode: boolean;
}

/** The body of a PUT. */
export interface RecordChanges extends FamilyChanges {
  field_values: FieldValueInput[];
}

/** The values to be written, and the faults that prevent it. */
interface CheckedValues {
  values: Map<RecordField, FieldValue>;
  problems: Problem[];
}

/**
 * Checks a new record. With `hold`, its type, its cases and its parent are locked until the transaction ends.
 * @throws NotFound for an unknown type; Forbidden if the actor may not write.
 */
export async function checkNewRecord(
  actor: Actor,
  input: Usable<RecordInput> & Pick<RecordInput, 'record_type_id'>,
  hold: Hold,
  session: Session,
): Promise<CheckedValues & { type: RecordType }> {
  const type = await getRecordType(actor, input.record_type_id, hold === 'hold' ? 'shared' : 'none', session);
  requireTeam(actor, type.teamId, 'write', 'Record type');
  const { values, problems } = checkFieldValues(input.field_values ?? [], type.fields);
  // Lock the cases before the record: attaching a record to a case locks in this order, too.
  const caseProblems = await checkCases(actor, input.case_ids ?? [], { type, hold }, session);
  const parentProblems = await checkParent(actor, input.parent_record_id, { type, hold }, session);
  return { type, values, problems: [...problems, ...parentProblems, ...caseProblems] };
}

/** Checks changes of a record of this type: its new values together with the unchanged ones, and its children. */
export async function checkRecordChanges(
  actor: Actor,
  { record, type }: { record: StoredRecord; type: RecordType },
  changes: Usable<RecordChanges>,
  session: Session,
): Promise<CheckedValues & { family: FamilyPlan }> {
  const { values, problems } = checkFieldValues(changes.field_values ?? [], type.fields);
  const family = await planFamily(actor, record, changes, session);
  const replaced = new Set([...values.keys()].map((field) => String(field.id)));
  const kept = Object.entries(record.data).flatMap(([key, value]) => (replaced.has(key) ? [] : [value]));
  const size = checkSize([...kept, ...values.values()]);
  return { values, family, problems: [...mergedProblems(problems, size), ...family.problems] };
}

/** Returns the faults of the parent of a new record of this type. With `hold`, the parent is locked against deletion. */
async function checkParent(
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
async function checkCases(
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
