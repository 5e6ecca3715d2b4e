import { idsOrNone } from '../../platform/mysql/statements/page-query.js';
import type { Session } from '../../platform/mysql/session.js';
import type { FieldValue } from './field-value.js';
import type { StoredRecord } from './record.js';
import { parseJson } from '../../platform/json/parse-json.js';

type RecordRow = Omit<StoredRecord, 'testMode' | 'data'> & { testMode: number; data: string };

/** A parent whose type was deleted does not count. */
const PARENT = `(SELECT p.id FROM records p JOIN record_types pt ON pt.id = p.record_type_id WHERE p.id = r.parent_id)`;

const COLUMNS =
  'r.id, r.record_type_id AS typeId, r.team_id AS teamId, r.story_id AS storyId, r.story_name AS storyName,' +
  ` r.story_run_guid AS storyRunGuid, ${PARENT} AS parentId, r.test_mode AS testMode, r.data,` +
  ' r.created_at AS createdAt, r.updated_at AS updatedAt';

/** Readers never see records of a deleted type, though their rows may still exist. */
const LIVING = 'records r JOIN record_types t ON t.id = r.record_type_id';

/** Returns the tenant's record with this id. */
export async function findRecord(
  id: number,
  tenantId: number,
  session: Session,
): Promise<StoredRecord | undefined> {
  const rows = await session.rows<RecordRow>(
    `SELECT ${COLUMNS} FROM ${LIVING} WHERE r.id = ? AND t.tenant_id = ?`,
    [id, tenantId],
  );
  return rows.map(toRecord)[0];
}

/** Returns the tenant's records with these ids, in any order, without unknown ones. */
export async function findRecords(
  ids: number[],
  tenantId: number,
  session: Session,
): Promise<StoredRecord[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<RecordRow>(
    `SELECT ${COLUMNS} FROM ${LIVING} WHERE r.id IN (?) AND t.tenant_id = ?`,
    [ids, tenantId],
  );
  return rows.map(toRecord);
}

/** Returns the children of this record, oldest first. */
export async function findChildren(id: number, session: Session): Promise<StoredRecord[]> {
  const rows = await session.rows<RecordRow>(
    `SELECT ${COLUMNS} FROM ${LIVING} WHERE r.parent_id = ? ORDER BY r.id`,
    [id],
  );
  return rows.map(toRecord);
}

/** Returns the number of children of the record. */
export async function countChildren(id: number, session: Session): Promise<number> {
  const [row] = await session.rows<{ n: number }>(
    `SELECT COUNT(*) AS n FROM ${LIVING} WHERE r.parent_id = ?`,
    [id],
  );
  return row?.n ?? 0;
}

/** Returns the ids of the cases that the record is attached to, without cases that were moved to another team. */
export async function findCaseIds(recordId: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `SELECT cr.case_id AS id FROM case_records cr JOIN records r ON r.id = cr.record_id
     JOIN cases c ON c.id = cr.case_id AND c.team_id = r.team_id WHERE cr.record_id = ? ORDER BY cr.case_id`,
    [recordId],
  );
  return rows.map(({ id }) => id);
}

/** Returns the teams of these cases, by case id, without unknown ones. */
export async function findCaseTeams(ids: number[], session: Session): Promise<Map<number, number>> {
  const rows = await session.rows<{ id: number; teamId: number }>(
    'SELECT id, team_id AS teamId FROM cases WHERE id IN (?)',
    [idsOrNone(ids)],
  );
  return new Map(rows.map(({ id, teamId }) => [id, teamId]));
}

/** Returns the record's parent, its parent and so on, nearest first, at most `limit` of them. */
export async function findAncestors(id: number, limit: number, session: Session): Promise<number[]> {
  const rows = await session.rows<{ id: number }>(
    `WITH RECURSIVE line (id, parent_id, depth) AS (
       SELECT id, parent_id, 0 FROM records WHERE id = ?
       UNION ALL
       SELECT r.id, r.parent_id, line.depth + 1 FROM line JOIN records r ON r.id = line.parent_id WHERE line.depth < ?
     ) SELECT id FROM line WHERE depth > 0 ORDER BY depth`,
    [id, limit],
  );
  return rows.map((row) => row.id);
}

/** Returns the records with these ids, in their order, without deleted ones. */
export async function readRecords(ids: number[], session: Session): Promise<StoredRecord[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<RecordRow>(`SELECT ${COLUMNS} FROM records r WHERE r.id IN (?)`, [ids]);
  const byId = new Map(rows.map((row) => [row.id, toRecord(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

function toRecord(row: RecordRow): StoredRecord {
  return {
    ...row,
    testMode: row.testMode === 1,
    data: parseJson(row.data) as Record<string, FieldValue>,
  };
}
