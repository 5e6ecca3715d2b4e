import {
  idsOrNone,
  type Page,
  readPage,
  type Window,
} from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import type { FieldSource, RecordField, RecordType, ResultType } from './record-type.js';

interface TypeRow {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  editable: number;
  ttlDays: number | null;
}

interface FieldRow {
  id: number;
  typeId: number;
  name: string;
  resultType: ResultType;
  fixedValues: string;
  source: FieldSource;
  complete: number;
}

/** How a type is locked until the transaction ends. */
export type TypeLock = 'none' | 'shared' | 'exclusive';

const TYPE_COLUMNS = 'id, tenant_id AS tenantId, team_id AS teamId, name, editable, ttl_days AS ttlDays';

/** `LOCK IN SHARE MODE`: MariaDB does not support FOR SHARE. */
const LOCKS: Record<TypeLock, string> = {
  none: '',
  shared: ' LOCK IN SHARE MODE',
  exclusive: ' FOR UPDATE',
};

/**
 * Returns the tenant's type with this id. Writers of records lock it `shared`, changes of its fields `exclusive`: so
 * every record that was written without a new field exists before the field does.
 */
export async function findRecordType(
  id: number,
  tenantId: number,
  lock: TypeLock,
  session: Session,
): Promise<RecordType | undefined> {
  const rows = await session.rows<TypeRow>(
    `SELECT ${TYPE_COLUMNS} FROM record_types WHERE id = ? AND tenant_id = ?${LOCKS[lock]}`,
    [id, tenantId],
  );
  return (await withFields(rows, session))[0];
}

/** Returns the types with these ids, in any order, without deleted ones. */
export async function findRecordTypes(ids: readonly number[], session: Session): Promise<RecordType[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<TypeRow>(`SELECT ${TYPE_COLUMNS} FROM record_types WHERE id IN (?)`, [
    [...ids],
  ]);
  return withFields(rows, session);
}

/** Returns the ids of the types that these fields belong to, by field id. */
export async function findTypesOfFields(fieldIds: number[], session: Session): Promise<Map<number, number>> {
  const rows = await session.rows<{ id: number; typeId: number }>(
    'SELECT id, record_type_id AS typeId FROM record_fields WHERE id IN (?)',
    [idsOrNone(fieldIds)],
  );
  return new Map(rows.map(({ id, typeId }) => [id, typeId]));
}

/** Returns a page of the types of these teams, newest first. */
export async function listRecordTypes(
  filter: { tenantId: number; teamIds: number[] },
  window: Window,
  session: Session,
): Promise<Page<RecordType>> {
  const page = await readPage<TypeRow>(
    session,
    {
      columns: TYPE_COLUMNS,
      from: 'record_types',
      where: 'tenant_id = ? AND team_id IN (?)',
      values: [filter.tenantId, idsOrNone(filter.teamIds)],
      order: 'id DESC',
    },
    window,
  );
  return { items: await withFields(page.items, session), total: page.total };
}

/** Returns the id of the team's type with this name. */
export async function findTypeNamed(
  name: string,
  teamId: number,
  session: Session,
): Promise<number | undefined> {
  const [row] = await session.rows<{ id: number }>(
    'SELECT id FROM record_types WHERE team_id = ? AND name = ?',
    [teamId, name],
  );
  return row?.id;
}

/** Returns the types with these names in these teams, lowest ids first, without unknown ones. */
export async function findTypesNamed(
  wanted: { teamId: number; name: string }[],
  session: Session,
): Promise<{ id: number; teamId: number; name: string }[]> {
  if (wanted.length === 0) return [];
  return session.rows(
    'SELECT id, team_id AS teamId, name FROM record_types WHERE (team_id, name) IN (?) ORDER BY id',
    [wanted.map(({ teamId, name }) => [teamId, name])],
  );
}

async function withFields(rows: TypeRow[], session: Session): Promise<RecordType[]> {
  if (rows.length === 0) return [];
  const fields = await session.rows<FieldRow>(
    `SELECT id, record_type_id AS typeId, name, result_type AS resultType, fixed_values AS fixedValues, source, complete
     FROM record_fields WHERE record_type_id IN (?) ORDER BY id`,
    [rows.map(({ id }) => id)],
  );
  return rows.map((row) => ({
    ...row,
    editable: row.editable === 1,
    fields: fields.filter(({ typeId }) => typeId === row.id).map(toField),
  }));
}

function toField({ id, name, resultType, fixedValues, source, complete }: FieldRow): RecordField {
  return {
    id,
    name,
    resultType,
    fixedValues: JSON.parse(fixedValues) as string[],
    source,
    complete: complete === 1,
  };
}
