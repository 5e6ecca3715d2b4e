import type { GraphNote } from '../../../../clients/typescript/api.js';
import { type Command, newGuid, type Place, withItem } from '../story-draft.js';

/** Adds a note. `guid` is its key. */
export function addNote(content: string, position: Place, guid = newGuid()): Command {
  return (draft) => ({
    label: 'Add a note',
    draft: { ...draft, notes: withItem<GraphNote>(draft.notes, guid, { guid, content, position }) },
  });
}

/** Changes the text of a note. */
export function setNote(key: string, content: string): Command {
  return (draft) => {
    const note = draft.notes.get(key);
    return {
      label: 'Change a note',
      draft:
        note === undefined ? draft : { ...draft, notes: withItem(draft.notes, key, { ...note, content }) },
    };
  };
}
