import { useEffect, useRef, useState } from 'react';
import type { RenamePreview } from '../../../../../clients/typescript/api.js';
import { rename } from '../../../story-model/commands/action-commands.js';
import { nameProblem } from '../../../story-model/draft-problems.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { sentencesOf } from '../../../text/problems.js';
import { Field, Input } from '../../../ui/form/field.js';
import { useEditor, useRun } from '../editor-context.js';
import { RenameDialog } from './rename-dialog.js';
import { countOfReferences, previewRename, renameAsFound } from './rename-data.js';

interface Asked {
  name: string;
  /** The story that was looked through; it may have changed since. */
  draft: StoryDraft;
  preview: RenamePreview;
}

/** The name of an action. A new one changes its references too, which are shown before. */
export function NameField({ actionKey, name }: { actionKey: string; name: string }) {
  const { store, storyId, draftId, readOnly } = useEditor();
  const run = useRun();
  const [asked, setAsked] = useState<Asked>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // The field stays the same one, so that it keeps the focus.
  useEffect(() => show(field.current, name), [name]);

  const change = async (next: string) => {
    // The dialog that asks takes the focus from the field, which is no answer.
    if (isBusy || asked !== undefined) return;
    if (next === name) return setFault(undefined);
    const problem = nameProblem(next);
    if (problem !== undefined) return setFault(problem);
    setFault(undefined);
    setBusy(true);
    try {
      const { draft } = store.getState();
      const preview = await previewRename(draft, { id: draftId ?? storyId, key: actionKey, name: next });
      const isPlain = countOfReferences(preview) === 0 && preview.unsure.length + preview.shared.length === 0;
      if (isPlain) run(rename(actionKey, next));
      else setAsked({ name: next, draft, preview });
    } catch (error) {
      setFault(`The name was not changed. ${sentencesOf(error).join(' ')}`);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <Field name="Name">
        <Input
          ref={field}
          defaultValue={name}
          aria-invalid={fault !== undefined}
          readOnly={readOnly !== undefined || isBusy}
          onBlur={({ target }) => void change(target.value)}
          onKeyDown={({ key, currentTarget }) => key === 'Enter' && void change(currentTarget.value)}
        />
      </Field>
      {isBusy && (
        <p className="faint" role="status">
          Looking for references…
        </p>
      )}
      {fault !== undefined && (
        <p className="bad wrap" role="alert">
          {fault}
        </p>
      )}
      {asked !== undefined && (
        <RenameDialog
          from={name}
          to={asked.name}
          preview={asked.preview}
          onClose={() => {
            setAsked(undefined);
            show(field.current, name);
          }}
          onRename={(withReferences) => {
            run(withReferences ? renameAsFound(actionKey, asked.name, asked) : rename(actionKey, asked.name));
            setAsked(undefined);
          }}
        />
      )}
    </>
  );
}

function show(field: HTMLInputElement | null, name: string) {
  if (field !== null) field.value = name;
}
