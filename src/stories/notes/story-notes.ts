import { stringifyJson } from '../../platform/json/exact-number.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { parseJson } from '../../platform/json/parse-json.js';
import type { Session } from '../../platform/mysql/session.js';
import { findNoteRows, type NoteRow, storeNotes } from './note-store.js';

/** The notes of a story, and the id of each that has one. */
export interface NumberedNotes {
  notes: readonly JsonValue[];
  ids: readonly (number | undefined)[];
  /** The rows that hold the ids. */
  before: NoteRow[];
}

/**
 * Gives each note of a story that was written whole (by an import, from a version) the id that it had: the given one, that of
 * the note with the same guid, or that of the note with the same text. The caller has locked the story.
 */
export async function settleNotes(
  storyId: number,
  extra: JsonObject,
  session: Session,
  given: readonly (number | undefined)[] = [],
): Promise<void> {
  const notes = notesIn(extra);
  const before = await findNoteRows(storyId, session);
  if (notes.length === 0 && before.length === 0) return;
  await storeNotes(storyId, { notes, ids: idsOf(notes, before, given), before }, session);
}

/** Returns the notes of a story with their ids. A note that no row holds has none yet. */
export async function numberedNotes(
  storyId: number,
  extra: JsonObject,
  session: Session,
): Promise<NumberedNotes> {
  const notes = notesIn(extra);
  const before = await findNoteRows(storyId, session);
  return { notes, ids: idsOf(notes, before), before };
}

function notesIn({ diagram_notes: notes }: JsonObject): JsonValue[] {
  return Array.isArray(notes) ? notes : [];
}

function idsOf(
  notes: readonly JsonValue[],
  rows: NoteRow[],
  given: readonly (number | undefined)[] = [],
): (number | undefined)[] {
  const free = new Set(rows);
  const ids: (number | undefined)[] = notes.map(() => undefined);
  const texts = notes.map((note) => (isJsonObject(note) ? stringifyJson(note) : undefined));
  const take = (index: number, row: NoteRow | undefined) => {
    if (row !== undefined && ids[index] === undefined && free.delete(row)) ids[index] = row.id;
  };
  const byId = new Map(rows.map((row) => [row.id, row]));
  notes.forEach((_note, index) => take(index, byId.get(given[index] ?? 0)));
  const byPlace = new Map(rows.map((row) => [`${row.position} ${row.note}`, row]));
  texts.forEach((text, index) => take(index, byPlace.get(`${index} ${text ?? ''}`)));
  const byGuid = new Map([...free].map((row) => [guidOf(parseJson(row.note)), row]));
  notes.forEach((note, index) => {
    const guid = guidOf(note);
    if (guid !== undefined) take(index, byGuid.get(guid));
  });
  const byText = new Map([...free].map((row) => [row.note, row]));
  texts.forEach((text, index) => take(index, byText.get(text ?? '')));
  return ids;
}

function guidOf(note: JsonValue | undefined): string | undefined {
  return isJsonObject(note) && typeof note.guid === 'string' && note.guid !== '' ? note.guid : undefined;
}
