import { setNote } from '../../../story-model/commands/note-commands.js';
import { remove } from '../../../story-model/commands/selection-commands.js';
import { Button } from '../../../ui/form/button.js';
import { TextArea } from '../../../ui/form/field.js';
import { useEdited, useEditor, useRun } from '../editor-context.js';
import styles from './outline.module.css';

/** The notes of the canvas, as text. */
export function OutlineNotes() {
  const { readOnly } = useEditor();
  const notes = useEdited(({ draft }) => draft.notes);
  const run = useRun();
  if (notes.size === 0) return null;
  return (
    <section className={styles['notes']} aria-label="Notes">
      <h2>Notes</h2>
      {[...notes].map(([key, { content }], at) => (
        <div key={key} className="row">
          <TextArea
            key={content}
            aria-label={`Note ${at + 1}`}
            defaultValue={content}
            readOnly={readOnly !== undefined}
            rows={3}
            placeholder="Text of the note, in Markdown"
            onBlur={({ target }) => target.value !== content && run(setNote(key, target.value))}
          />
          {readOnly === undefined && (
            <Button aria-label={`Delete note ${at + 1}`} onClick={() => run(remove({ notes: [key] }))}>
              Delete
            </Button>
          )}
        </div>
      ))}
    </section>
  );
}
