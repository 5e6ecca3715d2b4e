import { type FormEvent, useState } from 'react';
import type { Case } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
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
  const work = useCaseWork({ quiet: true, onDone: onClose });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = textIn(form, 'name').trim();
    const priority = textIn(form, 'priority') as Case['priority'];
    // The form sends line ends as networks do.
    const description = textIn(form, 'description').replaceAll('\r\n', '\n');
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
    <Dialog title="Edit the case" wide onClose={onClose}>
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
          <DescriptionField text={before.description ?? ''} />
          <Faults of={faults} />
        </div>
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" disabled={work.isPending}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
