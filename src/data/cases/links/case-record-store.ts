import { idsOrNone, type Page, type Window } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import { valueText } from '../../records/field-value.js';
import { type StoredRecord, valueIn } from '../../records/record.js';
import { readRecords } from '../../records/record-store.js';
import type { RecordType } from '../../records/types/record-type.js';
import { findRecordTypes } from '../../records/types/record-type-store.js';
import { CASE_PAGE, type CaseRecord } from '../case.js';

/** Number of cases whose records one statement reads. */
const CASES_A_STATEMENT = 50;

/** A case shows only records of its own team: it may have been moved from another team, with records of that team. */
const ATTACHED =
  'case_records cr JOIN cases c ON c.id = cr.case_id' +
  ' JOIN records r ON r.id = cr.record_id AND r.team_id = c.team_id JOIN record_types t ON t.id = r.record_type_id';

/** Returns the first page of each case's records, by record id. Reads one index range for each case. */
export async function firstRecords(
  caseIds: readonly number[],
  session: Session,
): Promise<Map<number, CaseRecord[]>> {
  const pairs: { caseId: number; recordId: number }[] = [];
  for (let start = 0; start < caseIds.length; start += CASES_A_STATEMENT) {
    const some = caseIds.slice(start, start + CASES_A_STATEMENT);
    const parts = some.map(
      () =>
        `(SELECT cr.case_id AS caseId, cr.record_id AS recordId FROM ${ATTACHED}` +
        ` WHERE cr.case_id = ? ORDER BY cr.record_id LIMIT ${CASE_PAGE})`,
    );
    pairs.push(...(await session.rows<(typeof pairs)[number]>(parts.join(' UNION ALL '), some)));
  }
  const records = await recordsById(
    pairs.map(({ recordId }) => recordId),
    session,
  );
  const byCase = new Map<number, CaseRecord[]>();
  for (const { caseId, recordId } of pairs.toSorted((a, b) => a.recordId - b.recordId)) {
    const record = records.get(recordId);
    if (record !== undefined) byCase.set(caseId, [...(byCase.get(caseId) ?? []), record]);
  }
  return byCase;
}

/** Counts the records that each case shows. */
export async function countCaseRecords(
  caseIds: readonly number[],
  session: Session,
): Promise<Map<number, number>> {
  const rows = await session.rows<{ caseId: number; n: number }>(
    `SELECT cr.case_id AS caseId, COUNT(*) AS n FROM ${ATTACHED} WHERE cr.case_id IN (?) GROUP BY cr.case_id`,
    [idsOrNone(caseIds)],
  );
  return new Map(rows.map(({ caseId, n }) => [caseId, n]));
}

/** Returns a page of the case's records, by record id. */
export async function listRecords(
  caseId: number,
  { limit, offset }: Window,
  session: Session,
): Promise<Page<CaseRecord>> {
  const total = (await countCaseRecords([caseId], session)).get(caseId) ?? 0;
  const rows = await session.rows<{ id: number }>(
    `SELECT cr.record_id AS id FROM ${ATTACHED} WHERE cr.case_id = ? ORDER BY cr.record_id LIMIT ? OFFSET ?`,
    [caseId, limit, offset],
  );
  const ids = rows.map(({ id }) => id);
  const records = await recordsById(ids, session);
  return { total, items: ids.flatMap((id) => records.get(id) ?? []) };
}

/** Returns a record that the case shows. */
export async function findCaseRecord(
  caseId: number,
  recordId: number,
  session: Session,
): Promise<CaseRecord | undefined> {
  const rows = await session.rows<{ id: number }>(
    `SELECT cr.record_id AS id FROM ${ATTACHED} WHERE cr.case_id = ? AND cr.record_id = ?`,
    [caseId, recordId],
  );
  const ids = rows.map(({ id }) => id);
  return (await recordsById(ids, session)).get(recordId);
}

/** Returns the record's team; undefined if the record does not exist. */
export async function findRecordTeam(recordId: number, session: Session): Promise<number | undefined> {
  const [row] = await session.rows<{ teamId: number }>(
    'SELECT r.team_id AS teamId FROM records r JOIN record_types t ON t.id = r.record_type_id WHERE r.id = ?',
    [recordId],
  );
  return row?.teamId;
}

/** Returns true if the record was not attached before. */
export async function attachRecord(caseId: number, recordId: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run(
    'INSERT IGNORE INTO case_records (case_id, record_id) VALUES (?, ?)',
    [caseId, recordId],
  );
  return affectedRows > 0;
}

/** Returns true if the record was attached before. */
export async function detachRecord(caseId: number, recordId: number, session: Session): Promise<boolean> {
  const { affectedRows } = await session.run('DELETE FROM case_records WHERE case_id = ? AND record_id = ?', [
    caseId,
    recordId,
  ]);
  return affectedRows > 0;
}

/** Returns the records by id, with the values of all fields of their type. */
export async function recordsById(
  ids: readonly number[],
  session: Session,
): Promise<Map<number, CaseRecord>> {
  const records = await readRecords([...new Set(ids)], session);
  const found = await findRecordTypes([...new Set(records.map(({ typeId }) => typeId))], session);
  const types = new Map(found.map((type) => [type.id, type]));
  return new Map(
    records.flatMap((record): [number, CaseRecord][] => {
      const type = types.get(record.typeId);
      return type === undefined ? [] : [[record.id, toCaseRecord(record, type)]];
    }),
  );
}

function toCaseRecord(record: StoredRecord, type: RecordType): CaseRecord {
  return {
    id: record.id,
    recordTypeId: type.id,
    recordTypeName: type.name,
    createdAt: record.createdAt,
    values: type.fields.map((field) => ({
      fieldId: field.id,
      name: field.name,
      value: valueText(valueIn(record, field)),
    })),
  };
}
