import type { Session } from '../../platform/mysql/session.js';
import type { FieldSource, RecordField } from './record-type.js';

/** A field before it has an id. */
export type NewField = Pick<RecordField, 'name' | 'resultType' | 'fixedValues'> & { source: FieldSource };

/** Where a type is made. */
export interface TypeHome {
  tenantId: number;
  teamId: number;
}

/** Writes a type without fields; gives its id. */
export async function insertRecordType(name: string, home: TypeHome, session: Session): Promise<number> {
  const { insertId } = await session.run(
    'INSERT INTO record_types (tenant_id, team_id, name) VALUES (?, ?, ?)',
    [home.tenantId, home.teamId, name],
  );
  return insertId;
}

/** Sets the name, and notes that the type has changed. */
export async function renameRecordType(id: number, name: string, session: Session): Promise<void> {
  await session.run('UPDATE record_types SET name = ?, updated_at = NOW(3) WHERE id = ?', [name, id]);
}

/**
 * Adds fields to a type that is held exclusively. Where it has records already, their rows for the new fields are
 * written later (`fill_field`).
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

/** Sets a field's name and the values it takes. */
export async function updateField(field: RecordField, session: Session): Promise<void> {
  await session.run('UPDATE record_fields SET name = ?, fixed_values = ? WHERE id = ?', [
    field.name,
    JSON.stringify(field.fixedValues),
    field.id,
  ]);
}

/** Removes fields at once, their values later (`remove_field`). */
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

/** Removes the type and its fields at once: its records cannot be seen any more, and go later (`remove_type`). */
export async function deleteRecordType(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM record_chores WHERE record_type_id = ?', [id]);
  await session.run('DELETE FROM record_fields WHERE record_type_id = ?', [id]);
  await session.run('DELETE FROM record_types WHERE id = ?', [id]);
  await session.run("INSERT INTO record_chores (kind, record_type_id) VALUES ('remove_type', ?)", [id]);
}
