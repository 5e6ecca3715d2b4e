import { stringifyJson } from '../../platform/json/exact-number.js';
import { parseJson } from '../../platform/json/parse-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { insertRows } from '../../platform/mysql/statements/insert-rows.js';
import { textBytes } from '../../platform/mysql/statements/row-statements.js';
import type { Session } from '../../platform/mysql/session.js';
import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import type { PartTable } from '../list/story-part-list-store.js';

/** The table of notes, for lists of parts of stories. */
export const NOTES: PartTable = { table: 'story_notes', index: 'story_notes_story' };

/** A row of `story_notes`: the id of a note, and a copy of it for lists. */
export interface NoteRow {
  id: number;
  /** Its place in `diagram_notes`. */
  position: number;
  /** The note as exports hold it, as JSON text. */
  note: string;
  createdAt: Date;
}

/** A note with the story that it is in. */
export interface NoteRecord {
  id: number;
  storyId: number;
  teamId: number;
  /** The name of the draft, and the story whose draft it is; null: in no draft. */
  draftName: string | null;
  draftOf: number | null;
  /** The note in the export form. */
  note: JsonObject;
}

/** Returns the rows of a story's notes, in its order. */
export function findNoteRows(storyId: number, session: Session): Promise<NoteRow[]> {
  return session.rows(
    `SELECT id, position, note, created_at AS createdAt FROM story_notes
     WHERE story_id = ? ORDER BY position, id`,
    [storyId],
  );
}

/** Returns the notes with these ids that exist, in the order of the ids. */
export async function findNotes(ids: readonly number[], session: Session): Promise<NoteRecord[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<Omit<NoteRecord, 'note'> & { note: string }>(
    `SELECT n.id, n.story_id AS storyId, s.team_id AS teamId, s.draft_name AS draftName, s.draft_of AS draftOf, n.note
     FROM story_notes n JOIN stories s ON s.id = n.story_id WHERE n.id IN (?)`,
    [[...ids]],
  );
  const notes = new Map(rows.map((row) => [row.id, { ...row, note: parseJson(row.note) as JsonObject }]));
  return ids.flatMap((id) => notes.get(id) ?? []);
}

/** Returns the note with this id, if its story belongs to this tenant. */
export async function findNote(
  id: number,
  tenantId: number,
  session: Session,
): Promise<NoteRecord | undefined> {
  const rows = await session.rows<{ id: number }>(
    `SELECT n.id FROM story_notes n JOIN stories s ON s.id = n.story_id WHERE n.id = ? AND s.tenant_id = ?`,
    [id, tenantId],
  );
  const [note] = await findNotes(
    rows.map((row) => row.id),
    session,
  );
  return note;
}

/**
 * Makes the rows of a story those of its `diagram_notes`; `ids` has the id of each note that continues. The caller has
 * locked the story. Values in the list that are no notes have no row.
 */
export async function storeNotes(
  storyId: number,
  {
    notes,
    ids,
    before,
  }: { notes: readonly JsonValue[]; ids: readonly (number | undefined)[]; before: NoteRow[] },
  session: Session,
): Promise<void> {
  const known = new Map(before.map((row) => [row.id, row]));
  const wanted = notes.flatMap((note, position) => {
    if (!isJsonObject(note)) return [];
    return [{ position, text: stringifyJson(note), row: known.get(ids[position] ?? 0) }];
  });
  const changed = wanted.filter(
    ({ row, position, text }) => row === undefined || row.position !== position || row.note !== text,
  );
  const rewritten = new Set(changed.map(({ row }) => row?.id));
  const kept = new Set(wanted.map(({ row }) => row?.id));
  const stale = before.filter(({ id }) => rewritten.has(id) || !kept.has(id)).map(({ id }) => id);
  if (stale.length > 0) {
    await session.run('DELETE FROM story_notes WHERE story_id = ? AND id IN (?)', [storyId, stale]);
  }
  const now = new Date();
  const rows = changed.map(({ row, position, text }): SqlValue[] => [
    row?.id ?? null,
    storyId,
    position,
    text,
    row?.createdAt ?? now,
  ]);
  await insertRows(session, {
    table: 'story_notes',
    columns: ['id', 'story_id', 'position', 'note', 'created_at'],
    rows,
    sizeOf: (row) => textBytes(row[3]),
  });
}

/** Deletes the rows of a story's notes. */
export async function deleteStoryNotes(storyId: number, session: Session): Promise<void> {
  await session.run('DELETE FROM story_notes WHERE story_id = ?', [storyId]);
}
