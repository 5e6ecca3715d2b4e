import { X } from 'lucide-react';
import { rename } from '../../../story-model/action-commands.js';
import { actionOf } from '../../../story-model/editor-store.js';
import { IconButton } from '../../../ui/form/button.js';
import { Field, Input } from '../../../ui/form/field.js';
import { Json } from '../../../ui/json.js';
import { useEdited, useEditor, useRun } from '../editor-context.js';

/** One action under edit: its name and its options. */
export function ActionEditor({ actionKey }: { actionKey: string }) {
  const { view, readOnly } = useEditor();
  const action = useEdited(actionOf(actionKey));
  const run = useRun();
  if (action === undefined) return null;
  return (
    <div className="stack">
      <header className="row">
        <h2 className="grow wrap">{action.name}</h2>
        <IconButton label="Close" onClick={() => view.getState().choose({})}>
          <X />
        </IconButton>
      </header>
      <Field name="Name">
        <Input
          key={action.name}
          defaultValue={action.name}
          readOnly={readOnly !== undefined}
          onBlur={({ target }) => run(rename(actionKey, target.value))}
        />
      </Field>
      <Json value={action.options} />
    </div>
  );
}
