import { type FormEvent, useState } from 'react';
import type { Case } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useKeptText } from '../../../api/use-kept-text.js';
import { sentencesOf } from '../../../text/problems.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Field, Input } from '../../../ui/form/field.js';
import { textIn } from '../../../ui/form/form-text.js';
import { useCaseWork } from '../../cases/cases-data.js';
import { Faults } from '../../cases/new-case-dialog.js';

/** Adds a closure condition; a formula that is wrong is refused with its line and column. */
export function ConditionDialog({ one, onClose }: { one: Case; onClose: () => void }) {
  const [faults, setFaults] = useState<string[]>([]);
  const [formula, setFormula, forget] = useKeptText(`case.${one.case_id}.condition`);
  const leave = () => {
    forget();
    onClose();
  };
  const work = useCaseWork({ quiet: true, onDone: leave });
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const made = { name: textIn(form, 'name').trim(), formula };
    const conditions = [...one.closure_conditions, made];
    work.mutate(() => api.cases.update({ id: one.case_id, closure_conditions: conditions }), {
      onError: (error) => setFaults(sentencesOf(error)),
    });
  };
  return (
    <Dialog
      title="New condition"
      about="The case can be closed once this formula is true."
      isTyped={formula !== ''}
      onClose={leave}
    >
      <form onSubmit={add} className="case-form">
        <div className="dialog-body stack">
          <Field name="Name">
            <Input name="name" required maxLength={255} pattern=".*\S.*" autoComplete="off" />
          </Field>
          <Field
            name="Formula"
            note={
              <>
                Refer to the case as <code>team_case</code>, for example{' '}
                <code>team_case.metadata.verdict</code>.
              </>
            }
          >
            <Input
              value={formula}
              onChange={({ target }) => setFormula(target.value)}
              required
              maxLength={10_000}
              className="mono"
              spellCheck={false}
              autoComplete="off"
            />
          </Field>
          <Faults of={faults} />
        </div>
        <footer className="dialog-foot">
          <Button onClick={leave}>Cancel</Button>
          <Button type="submit" look="main" disabled={work.isPending}>
            Add condition
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
