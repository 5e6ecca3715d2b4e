import { type FormEvent, useState } from 'react';
import type { Case } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { isChanged, requireUnchanged, useKeptEdit } from '../../api/use-kept-edit.js';
import { sentencesOf } from '../../text/problems.js';
import { Button } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Field, Input } from '../../ui/form/field.js';
import { NewerText } from '../../ui/form/newer-text.js';
import { textIn } from '../../ui/form/form-text.js';
import { useCaseWork } from '../cases/cases-data.js';
import { DescriptionField, Faults, PriorityField } from '../cases/new-case-dialog.js';

/** Changes name, priority and description. What the person left as it was is not sent, so it undoes no other's change. */
export function EditDialog({ one, onClose }: { one: Case; onClose: () => void }) {
  const [before] = useState(one);
  const [faults, setFaults] = useState<string[]>([]);
  const edit = useKeptEdit(`case.${one.case_id}.description`, one.description ?? '');
  const leave = () => {
    edit.forget();
    onClose();
  };
  const work = useCaseWork({ quiet: true, onDone: leave });
  const save = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const name = textIn(form, 'name').trim();
    const priority = textIn(form, 'priority') as Case['priority'];
    const change = {
      ...(name !== before.name && { name }),
      ...(priority !== before.priority && { priority }),
      ...(isChanged(edit) && { description: edit.text }),
    };
    const send = async () => {
      const id = one.case_id;
      // A colleague may have saved since the page was told last.
      if (isChanged(edit))
        requireUnchanged('description', (await api.cases.get({ id })).description ?? '', edit);
      await api.cases.update({ id, ...change });
    };
    work.mutate(send, { onError: (error) => setFaults(sentencesOf(error)) });
  };
  return (
    <Dialog title="Edit the case" wide isTyped={edit.base !== undefined} onClose={leave}>
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
          <DescriptionField text={edit.text} onText={edit.setText} />
          {edit.isContested && (
            <NewerText
              noun="description"
              newer={one.description ?? ''}
              onTake={edit.forget}
              onKeep={edit.keepMine}
            />
          )}
          <Faults of={faults} />
        </div>
        <footer className="dialog-foot">
          <Button onClick={leave}>Cancel</Button>
          <Button type="submit" look="main" disabled={work.isPending || edit.isContested}>
            Save
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
