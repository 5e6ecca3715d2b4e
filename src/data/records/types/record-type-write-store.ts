import type { Session } from '../../../platform/mysql/session.js';
import type { FieldSource, RecordField } from './record-type.js';

/** A field before it has an id. */
export type NewField = Pick<RecordField, 'name' | 'resultType' | 'fixedValues'> & { source: FieldSource };

/** The tenant and team of a new type. */
export interface TypeHome {
  tenantId: number;
  teamId: number;
}

/** Inserts a type without fields; returns its id. */
export async function insertRecordType(name: string, home: TypeHome, session: Session): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO record_types (tenant_id, team_id, name) VALUES (?, ?, ?)',
    [home.tenantId, home.teamId, name],
  );
  return insertId;
}

/** Sets the type's name and the time of its last change. */
export async function renameRecordType(id: number, name: string, session: Session): Promise<void> {
  await session.run('UPDATE record_types SET name = ?, updated_at = NOW(3) WHERE id = ?', [name, id]);
}

/**
 * Adds fields to an exclusively locked type. If the type has records, their rows for the new fields are
 * inserted later (`fill_field`).
 */
export async function insertFields(typeId: number, fields: NewField[], session: Session): Promise<void> {
  const [newest] = await session.rows<{ id: number }>(
    'SELECT id FROM records WHERE record_type_id = ? ORDER BY id DESC LIMIT 1',
    [typeId],
  );
  for (const field of fields) {
    const { insertId } = await session.run(
      `INSERT INTO record_fields (record_type_id, name, result_type, fixed_values, source, complete)
       VALUES (?, ?, ?, ?, ?, ?)`,
      [
        typeId,
        field.name,
        field.resultType,
        JSON.stringify(field.fixedValues),
        field.source,
        newest === undefined,
      ],
    );
    if (newest !== undefined) {
      await session.run(
        "INSERT INTO record_chores (kind, record_type_id, field_id, until_id) VALUES ('fill_field', ?, ?, ?)",
        [typeId, insertId, newest.id],
      );
    }
  }
}

/** Sets a field's name and its allowed values. */
export async function updateField(field: RecordField, session: Session): Promise<void> {
  await session.run('UPDATE record_fields SET name = ?, fixed_values = ? WHERE id = ?', [
    field.name,
    JSON.stringify(field.fixedValues),
    field.id,
  ]);
}

/** Deletes fields at once; their values are removed later (`remove_field`). */
export async function deleteFields(typeId: number, fieldIds: number[], session: Session): Promise<void> {
  if (fieldIds.length === 0) return;
  await session.run('DELETE FROM record_fields WHERE record_type_id = ? AND id IN (?)', [typeId, fieldIds]);
  await session.run("DELETE FROM record_chores WHERE kind = 'fill_field' AND field_id IN (?)", [fieldIds]);
  for (const fieldId of fieldIds) {
    await session.run(
      "INSERT INTO record_chores (kind, record_type_id, field_id) VALUES ('remove_field', ?, ?)",
      [typeId, fieldId],
    );
  }
}

/** Deletes the type and its fields at once: its records become invisible, and are removed later (`remove_type`). */
export async function deleteRecordType(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM record_chores WHERE record_type_id = ?', [id]);
  await session.run('DELETE FROM record_fields WHERE record_type_id = ?', [id]);
  await session.run('DELETE FROM record_types WHERE id = ?', [id]);
  await session.run("INSERT INTO record_chores (kind, record_type_id) VALUES ('remove_type', ?)", [id]);
}
