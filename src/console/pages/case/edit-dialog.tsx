import { type FormEvent, useState } from 'react';
import type { Case } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useKeptText } from '../../api/use-kept-text.js';
import { sentencesOf } from '../../text/problems.js';
import { Button } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Field, Input } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';
import { useCaseWork } from '../cases/cases-data.js';
import { DescriptionField, Faults, PriorityField } from '../cases/new-case-dialog.js';

/** Changes name, priority and description. What the person left as it was is not sent, so it undoes no other's change. */
export function EditDialog({ one, onClose }: { one: Case; onClose: () => void }) {
  const [before] = useState(one);
  const [faults, setFaults] = useState<string[]>([]);
  const [text, setText, forgetText] = useKeptText(
    `case.${one.case_id}.description`,
    before.description ?? '',
  );
  const leave = () => {
    forgetText();
    onClose();
  };
  const work = useCaseWork({ quiet: true, onDone: leave });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = textIn(form, 'name').trim();
    const priority = textIn(form, 'priority') as Case['priority'];
    // A field has line ends of one kind, what is stored may have another.
    const description = text.replaceAll('\r\n', '\n');
    const change = {
      ...(name !== before.name && { name }),
      ...(priority !== before.priority && { priority }),
      ...(description !== (before.description ?? '').replaceAll('\r\n', '\n') && { description }),
    };
    work.mutate(() => api.cases.update({ id: one.case_id, ...change }), {
      onError: (error) => setFaults(sentencesOf(error)),
    });
  };
  return (
    <Dialog title="Edit the case" wide isTyped={text !== (before.description ?? '')} onClose={leave}>
      <form onSubmit={save} className="case-form">
        <div className="dialog-body stack">
          <Field name="Name">
            <Input
              name="name"
              required
              maxLength={255}
              pattern=".*\S.*"
              defaultValue={before.name}
              autoComplete="off"
            />
          </Field>
          <PriorityField usual={before.priority} />
          <DescriptionField text={text} onText={setText} />
          <Faults of={faults} />
        </div>
        <footer className="dialog-foot">
          <Button onClick={leave}>Cancel</Button>
          <Button type="submit" look="main" disabled={work.isPending}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
