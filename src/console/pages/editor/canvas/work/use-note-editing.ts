import { useMemo, useState } from 'react';
import { setNote } from '../../../../story-model/commands/note-commands.js';
import { useEditor } from '../../editor-context.js';

/** Returns the note whose text is written, for the notes of the canvas, and what opens one. `onDone` hears of the end. */
export function useNoteEditing(onDone: ((key: string) => void) | undefined) {
  const { store, readOnly } = useEditor();
  const [open, setOpen] = useState<string>();
  const mayChange = readOnly === undefined;
  const editing = useMemo(
    () => ({
      open,
      onOpen: (key: string) => mayChange && setOpen(key),
      onDone: (key: string, text: string | undefined) => {
        setOpen(undefined);
        const { draft, run } = store.getState();
        if (text !== undefined && text !== draft.notes.get(key)?.content) run(setNote(key, text));
        onDone?.(key);
      },
    }),
    [open, mayChange, store, onDone],
  );
  return { editing, setOpen };
}
