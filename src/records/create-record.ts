import type { Session } from '../db/session.js';
import { type Problem, Unprocessable } from '../errors.js';
import { checkFieldValues, type FieldValueInput } from './record-values.js';
import { findRecordType } from './record-type-store.js';
import { insertRecords } from './record-write-store.js';
import type { RecordDraft } from './record.js';

/** A record that a story, or somebody through the API, wants to make. */
export interface NewRecord extends Omit<RecordDraft, 'type' | 'values'> {
  tenantId: number;
  typeId: number;
  /** Values as they come: they are typed here. Fields that are not named stay empty. */
  fieldValues: readonly FieldValueInput[];
}

/**
 * Writes a record inside the caller's transaction, and gives its id. Whoever calls has checked that the record may be
 * written there, and the parent. `idStep`: see `ServerFacts`.
 * @throws Unprocessable naming each value that does not fit its field, and a type that is not there.
 */
export async function createRecord(record: NewRecord, idStep: number, session: Session): Promise<number> {
  const { tenantId, typeId, fieldValues, ...rest } = record;
  const type = await findRecordType(typeId, tenantId, 'shared', session);
  if (type === undefined)
    throw refused([{ message: `There is no record type ${typeId}`, details: 'record_type_id' }]);
  const { values, problems } = checkFieldValues(fieldValues, type.fields);
  if (problems.length > 0) throw refused(problems);
  const byId = new Map([...values].map(([field, value]) => [field.id, value]));
  const [id] = await insertRecords([{ ...rest, type, values: byId }], idStep, session);
  if (id === undefined) throw new Error('The record that was just written has no id');
  return id;
}

function refused(problems: Problem[]): Unprocessable {
  return new Unprocessable(problems);
}
