import { insertNumbered } from '../../../platform/mysql/ids/insert-numbered.js';
import { claimRow } from '../../../platform/mysql/lease/claim-rows.js';
import { insertRows } from '../../../platform/mysql/statements/insert-rows.js';
import { textBytes } from '../../../platform/mysql/statements/row-statements.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';
import type { FieldValue } from '../field-value.js';
import { countRecordChanges } from '../search/record-count-store.js';
import type { RecordField } from '../types/record-type.js';
import type { RecordDraft, StoredRecord } from '../record.js';
import { sortKeyOf } from '../search/sort-key.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';

const RECORD_COLUMNS = [
  'record_type_id',
  'team_id',
  'story_id',
  'story_name',
  'story_run_guid',
  'parent_id',
  'test_mode',
  'data',
];
const VALUE_COLUMNS = ['record_id', 'field_id', 'test_mode', 'sort_key', 'full_text'];
/** Approximate bytes of a value row without its text. */
const VALUE_ROW_BYTES = 600;

/**
 * Inserts and counts records with their values; returns their ids in order. Their types must be locked `shared` in
 * this transaction (`findRecordType`).
 */
export async function insertRecords(drafts: RecordDraft[], session: Session): Promise<number[]> {
  const ids = await insertNumbered(session, {
    table: 'records',
    columns: RECORD_COLUMNS,
    rows: drafts.map(recordRow),
    sizeOf: (row) => textBytes(row.at(-1)),
  });
  await insertRows(session, {
    table: 'record_values',
    columns: VALUE_COLUMNS,
    rows: drafts.flatMap((draft, index) => valueRows(draft, ids[index] ?? 0)),
    sizeOf: sizeOfValue,
  });
  await countRecordChanges(
    drafts.map(({ type, testMode }) => ({ typeId: type.id, testMode, by: 1 })),
    session,
  );
  return ids;
}

/** Sets values of a locked record (`lockRecord`); the other values stay. */
export async function updateValues(
  record: StoredRecord,
  values: ReadonlyMap<RecordField, FieldValue>,
  session: Session,
): Promise<void> {
  const changed = [...values].map(([field, value]) => [String(field.id), value] as const);
  const data = documentOf([...Object.entries(record.data), ...changed]);
  await session.run('UPDATE records SET data = ?, updated_at = NOW(3) WHERE id = ?', [data, record.id]);
  const rows = [...values].map(([field, value]) => valueRow(record.id, field, record.testMode, value));
  if (rows.length === 0) return;
  await session.run(
    `INSERT INTO record_values (${VALUE_COLUMNS.join(', ')}) VALUES ?
     ON DUPLICATE KEY UPDATE sort_key = VALUES(sort_key), full_text = VALUES(full_text)`,
    [rows],
  );
}

/** Locks the record until the transaction ends; returns false if it does not exist. */
export function lockRecord(id: number, session: Session): Promise<boolean> {
  return claimRow(session, 'records', id);
}

/** Sets the time of the record's last change. */
export async function touchRecord(id: number, session: Session): Promise<void> {
  await session.run('UPDATE records SET updated_at = NOW(3) WHERE id = ?', [id]);
}

/** Sets the parent of records; null: no parent. */
export async function setParent(ids: number[], parentId: number | null, session: Session): Promise<void> {
  if (ids.length === 0) return;
  await session.run('UPDATE records SET parent_id = ? WHERE id IN (?)', [
    parentId,
    ids.toSorted((a, b) => a - b),
  ]);
}

/** Removes records from this parent, if they are its children. */
export async function leaveParent(ids: number[], parentId: number, session: Session): Promise<void> {
  if (ids.length === 0) return;
  await session.run('UPDATE records SET parent_id = NULL WHERE parent_id = ? AND id IN (?)', [parentId, ids]);
}

/** Attaches a record to cases. */
export async function attachToCases(recordId: number, caseIds: number[], session: Session): Promise<void> {
  if (caseIds.length === 0) return;
  await session.run('INSERT INTO case_records (case_id, record_id) VALUES ?', [
    caseIds.map((caseId) => [caseId, recordId]),
  ]);
}

/** Deletes locked records with their values and attachments; their children lose their parent. Does not change the counts. */
export async function removeRecords(ids: number[], session: Session): Promise<void> {
  if (ids.length === 0) return;
  await session.run('UPDATE records SET parent_id = NULL WHERE parent_id IN (?)', [ids]);
  await session.run('DELETE FROM record_values WHERE record_id IN (?)', [ids]);
  await session.run('DELETE FROM case_records WHERE record_id IN (?)', [ids]);
  await session.run('DELETE FROM records WHERE id IN (?)', [ids]);
}

function recordRow({ type, values, story, storyRunGuid, testMode, parentId }: RecordDraft): SqlValue[] {
  const data = documentOf([...values].map(([fieldId, value]) => [String(fieldId), value]));
  return [
    type.id,
    type.teamId,
    story?.id ?? null,
    story?.name ?? null,
    storyRunGuid,
    parentId,
    testMode,
    data,
  ];
}

/** Returns the JSON text of the values that are not empty; later entries win. */
function documentOf(entries: readonly (readonly [string, FieldValue])[]): string {
  const all = [...new Map(entries)].filter(([, value]) => value !== null);
  return stringifyJson(Object.fromEntries(all));
}

/** Returns one row for each field except `Timestamp`, which is the record's creation time. */
function valueRows({ type, values, story, testMode }: RecordDraft, recordId: number): SqlValue[][] {
  return type.fields
    .filter(({ source }) => source !== 'timestamp')
    .map((field) => {
      const value = field.source === 'story_name' ? (story?.name ?? null) : (values.get(field.id) ?? null);
      return valueRow(recordId, field, testMode, value);
    });
}

function valueRow(recordId: number, field: RecordField, testMode: boolean, value: FieldValue): SqlValue[] {
  const { key, fullText } = sortKeyOf(field.resultType, value);
  return [recordId, field.id, testMode, key, fullText];
}

function sizeOfValue(row: SqlValue[]): number {
  const fullText = row.at(-1);
  return VALUE_ROW_BYTES + (Buffer.isBuffer(fullText) ? fullText.length : 0);
}
