import { randomBytes } from 'node:crypto';
import { NotFound, Unprocessable } from '../../platform/errors.js';
import { stringifyJson } from '../../platform/json/exact-number.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../platform/json.js';
import { mergedObjects } from '../../platform/json/ordered-object.js';
import type { Session } from '../../platform/mysql/session.js';
import { type Position, positionOf } from '../agents/write/layout.js';
import { LIMITS } from '../import/import-limits.js';
import { findExtra, updateStory } from '../edit/story-change-store.js';
import { findNoteRows, storeNotes } from './note-store.js';
import { type NumberedNotes, numberedNotes } from './story-notes.js';

/** The fields of a note that a request sets; undefined fields stay. */
export interface NoteChange {
  content?: string | undefined;
  position?: Position | undefined;
}

/** Adds a note to a story that is locked; returns its id. @throws Unprocessable if the story has no room for it. */
export async function addNote(storyId: number, change: NoteChange, session: Session): Promise<number> {
  await rewrite(storyId, session, ({ notes, ids }) => ({
    notes: [...notes, newNote(change)],
    ids: [...ids, undefined],
  }));
  const last = (await findNoteRows(storyId, session)).at(-1);
  if (last === undefined) throw new Error(`A note of story ${storyId} is missing after it was written`);
  return last.id;
}

/** Changes a note of a story that is locked. @throws NotFound if it has gone; Unprocessable as `addNote`. */
export function changeNote(
  { storyId, id }: { storyId: number; id: number },
  change: NoteChange,
  session: Session,
): Promise<void> {
  return rewrite(storyId, session, ({ notes, ids }) => ({
    notes: notes.map((note, index) => (index === placeOf(id, ids) ? changed(note, change) : note)),
    ids,
  }));
}

/** Removes a note of a story that is locked. @throws NotFound if it has gone. */
export function removeNote(
  { storyId, id }: { storyId: number; id: number },
  session: Session,
): Promise<void> {
  return rewrite(storyId, session, ({ notes, ids }) => {
    const place = placeOf(id, ids);
    const others = <Item>(list: readonly Item[]) => list.filter((_item, index) => index !== place);
    return { notes: others(notes), ids: others(ids) };
  });
}

async function rewrite(
  storyId: number,
  session: Session,
  work: (numbered: NumberedNotes) => Omit<NumberedNotes, 'before'>,
): Promise<void> {
  const extra = await findExtra(storyId, session);
  const numbered = await numberedNotes(storyId, extra, session);
  const after = work(numbered);
  const next = mergedObjects(extra, { diagram_notes: [...after.notes] });
  if (Buffer.byteLength(stringifyJson(next)) > LIMITS.rowBytes) {
    const message = `The notes, layout and pages of a story can have at most ${LIMITS.rowBytes} bytes`;
    throw new Unprocessable([{ message, details: 'content' }]);
  }
  await updateStory(storyId, { extra: next }, session);
  await storeNotes(storyId, { ...after, before: numbered.before }, session);
}

function placeOf(id: number, ids: readonly (number | undefined)[]): number {
  const place = ids.indexOf(id);
  if (place === -1) throw new NotFound('Note');
  return place;
}

function newNote({ content = '', position = { x: 0, y: 0 } }: NoteChange): JsonObject {
  return {
    content,
    position: [position.x, position.y],
    guid: randomBytes(16).toString('hex'),
    width: null,
  };
}

function changed(note: JsonValue, { content, position }: NoteChange): JsonValue {
  if (!isJsonObject(note)) return note;
  const before = positionOf(note.position);
  const moves = position !== undefined && (before?.x !== position.x || before.y !== position.y);
  return mergedObjects(note, {
    ...(content !== undefined && { content }),
    ...(moves && { position: [position.x, position.y] }),
  });
}
