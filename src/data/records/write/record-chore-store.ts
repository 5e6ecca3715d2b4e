import { CLAIM } from '../../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../../platform/mysql/session.js';
import { countRecordChanges } from '../search/record-count-store.js';
import { removeRecords } from './record-write-store.js';

/** Deferred work on many records. */
export interface Chore {
  id: number;
  typeId: number;
  /** 0 for a chore of a whole type. */
  fieldId: number;
  doneId: number;
  untilId: number;
}

export type ChoreKind = 'remove_field' | 'fill_field' | 'remove_type';

/** Holds if there is a chore. */
export const ANY_CHORE = 'EXISTS (SELECT 1 FROM record_chores)';

/** Locks and returns the oldest chore of the kind that no other process has locked, until the transaction ends. */
export async function takeChore(kind: ChoreKind, session: Session): Promise<Chore | undefined> {
  const [chore] = await session.rows<Chore>(
    `SELECT id, record_type_id AS typeId, COALESCE(field_id, 0) AS fieldId, done_id AS doneId, until_id AS untilId
     FROM record_chores WHERE kind = ? ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`,
    [kind],
  );
  return chore;
}

/** Deletes a completed chore. */
export async function finishChore(id: number, session: Session): Promise<void> {
  await session.run('DELETE FROM record_chores WHERE id = ?', [id]);
}

/**
 * Removes the values of a deleted field from `limit` records; returns the number of records. Writers that still saw the
 * field ended before it was deleted, so no value is added later.
 */
export async function removeFieldValues(
  { fieldId }: Chore,
  limit: number,
  session: Session,
): Promise<number> {
  const rows = await session.rows<{ id: number }>(
    'SELECT record_id AS id FROM record_values WHERE field_id = ? LIMIT ?',
    [fieldId, limit],
  );
  const ids = rows.map(({ id }) => id).toSorted((a, b) => a - b);
  if (ids.length === 0) return 0;
  await session.run('UPDATE records SET data = JSON_REMOVE(data, ?) WHERE id IN (?)', [
    `$."${fieldId}"`,
    ids,
  ]);
  await session.run('DELETE FROM record_values WHERE field_id = ? AND record_id IN (?)', [fieldId, ids]);
  return ids.length;
}

/** Inserts value rows for a field into the next `limit` records that are older than it; returns their number. */
export async function fillField(chore: Chore, limit: number, session: Session): Promise<number> {
  const rows = await session.rows<{ id: number; testMode: number }>(
    `SELECT id, test_mode AS testMode FROM records FORCE INDEX (records_type)
     WHERE record_type_id = ? AND id > ? AND id <= ? ORDER BY id LIMIT ? FOR UPDATE`,
    [chore.typeId, chore.doneId, chore.untilId, limit],
  );
  const last = rows.at(-1);
  if (last === undefined) {
    await session.run('UPDATE record_fields SET complete = TRUE WHERE id = ?', [chore.fieldId]);
    return 0;
  }
  // Changed, not just locked: a deletion on another node then excludes this.
  await session.run(`UPDATE records FORCE INDEX (PRIMARY) SET ${CLAIM} WHERE id IN (?)`, [
    rows.map(({ id }) => id),
  ]);
  // A record that was updated since then has a row with a value, which stays.
  await session.run(
    `INSERT INTO record_values (record_id, field_id, test_mode) VALUES ?
     ON DUPLICATE KEY UPDATE field_id = VALUES(field_id)`,
    [rows.map(({ id, testMode }) => [id, chore.fieldId, testMode])],
  );
  await session.run('UPDATE record_chores SET done_id = ? WHERE id = ?', [last.id, chore.id]);
  return rows.length;
}

/** Deletes the next `limit` records of a deleted type; returns their number. */
export async function removeTypeRecords({ typeId }: Chore, limit: number, session: Session): Promise<number> {
  const rows = await session.rows<{ id: number; testMode: number }>(
    `SELECT id, test_mode AS testMode FROM records FORCE INDEX (records_type)
     WHERE record_type_id = ? ORDER BY id LIMIT ? FOR UPDATE`,
    [typeId, limit],
  );
  await removeRecords(
    rows.map(({ id }) => id),
    session,
  );
  if (rows.length === 0) await session.run('DELETE FROM record_counts WHERE record_type_id = ?', [typeId]);
  else
    await countRecordChanges(
      rows.map(({ testMode }) => ({ typeId, testMode: testMode === 1, by: -1 })),
      session,
    );
  return rows.length;
}
