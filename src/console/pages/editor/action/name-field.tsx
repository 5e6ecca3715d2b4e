import { useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Field, Input } from '../../../ui/form/field.js';
import { useEditor } from '../editor-context.js';
import { RenameDialog } from './rename-dialog.js';

/** The name of an action. A new one changes its references too, which are shown before. */
export function NameField({ actionKey, name }: { actionKey: string; name: string }) {
  const { renamer, readOnly } = useEditor();
  const { busy, question, fault } = useStore(renamer.state);
  const field = useRef<HTMLInputElement>(null);
  const isAsked = question?.key === actionKey;
  // The field stays the same one, so that it keeps the focus. A rename that is given up leaves it the name.
  useEffect(() => {
    if (field.current !== null && !isAsked) field.current.value = name;
  }, [name, isAsked]);

  return (
    <>
      <Field name="Name">
        <Input
          ref={field}
          data-name-field
          defaultValue={name}
          aria-invalid={fault?.key === actionKey}
          readOnly={readOnly !== undefined || busy === actionKey}
          onBlur={({ target }) => void renamer.change(actionKey, target.value)}
          onKeyDown={({ key, currentTarget }) =>
            key === 'Enter' && void renamer.change(actionKey, currentTarget.value)
          }
        />
      </Field>
      {busy === actionKey && (
        <p className="faint" role="status">
          Looking for references…
        </p>
      )}
      {fault?.key === actionKey && (
        <p className="bad wrap" role="alert">
          {fault.sentence}
        </p>
      )}
    </>
  );
}

/** Asks about the references of a new name, whatever is chosen by now. */
export function RenameAsked() {
  const { renamer } = useEditor();
  const question = useStore(renamer.state, (state) => state.question);
  if (question === undefined) return null;
  return (
    <RenameDialog
      from={question.from}
      to={question.to}
      preview={question.preview}
      onClose={() => renamer.answer('not at all')}
      onRename={(withReferences) => renamer.answer(withReferences ? 'with references' : 'without references')}
    />
  );
}
