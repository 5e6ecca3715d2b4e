import { isJsonObject, type JsonObject, type JsonValue } from '../../../platform/json.js';
import { mergedObjects, orderedObject } from '../../../platform/json/ordered-object.js';
import { type Position, positionOf } from '../../agents/write/layout.js';
import { textOrEmpty } from '../../merge/merge-parts.js';
import type { StepContent, StepNote } from '../step-content.js';
import { withMark } from '../step-mark.js';
import type { StepUse } from '../uses/step-uses.js';

/** How the notes of a step stand in a story. */
export interface NotePlacing {
  /** By the notes of the step. */
  guids: ReadonlyMap<string, string>;
  /** How far the story is from the step on the board. */
  by: Position;
}

/** A state of a step, and the use of it that takes the state. */
export interface NotesState {
  stepGuid: string;
  content: Pick<StepContent, 'notes'>;
  use: StepUse;
  placing: NotePlacing;
}

/** Returns the object with the keys that the other one has first, in its order. */
export function inOrderOf(model: JsonObject, object: JsonObject): JsonObject {
  const first = Object.keys(model).filter((key) => Object.hasOwn(object, key));
  const keys = new Set([...first, ...Object.keys(object)]);
  return orderedObject([...keys].map((key) => [key, object[key] ?? null]));
}

/**
 * Returns the notes of a story as they would be if those of a use were just as a state of the step has them. Places stay.
 * Notes that no state of the step has are the story's own.
 */
export function withNotes(
  notes: JsonValue | undefined,
  { content, use, placing, stepGuid }: NotesState,
): JsonValue | undefined {
  const before = Array.isArray(notes) ? notes : [];
  const wanted = new Map(
    content.notes.flatMap((note): [string, StepNote][] => {
      const guid = placing.guids.get(note.guid);
      return guid === undefined ? [] : [[guid, note]];
    }),
  );
  const mine = new Set([...use.notes].flatMap(([key, guid]) => (placing.guids.has(key) ? [guid] : [])));
  const made = (guid: string, note: StepNote, present: JsonObject | undefined): JsonObject => {
    const mark = { guid: stepGuid, note: note.guid, ...(use.use !== '' && { use: use.use }) };
    const position = present?.position ?? shifted(note.position, placing.by);
    const own = { guid, ...(position !== undefined && { position }) };
    return inOrderOf(present ?? {}, withMark(mergedObjects<JsonValue>(note, own), mark));
  };
  const kept = before.flatMap((note): JsonValue[] => {
    const guid = isJsonObject(note) ? textOrEmpty(note.guid) : '';
    if (!isJsonObject(note) || !mine.has(guid)) return [note];
    const next = wanted.get(guid);
    wanted.delete(guid);
    return next === undefined ? [] : [made(guid, next, note)];
  });
  const added = [...wanted].map(([guid, note]) => made(guid, note, undefined));
  return notes === undefined && added.length === 0 ? undefined : [...kept, ...added];
}

function shifted(position: JsonValue | undefined, by: Position): JsonValue | undefined {
  const pair = isJsonObject(position) ? [position.x ?? 0, position.y ?? 0] : position;
  const place = positionOf(pair);
  return place === undefined ? position : [place.x + by.x, place.y + by.y];
}
