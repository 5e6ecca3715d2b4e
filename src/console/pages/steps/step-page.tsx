import '../../ui/lists/table.css';
import '../../ui/lists/lines.css';
import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import type { Step } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { isolated } from '../../text/isolated.js';
import { BackLink } from '../../ui/back-link.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Field, Input, TextArea } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';
import { FormDialog } from '../../ui/overlay/form-dialog.js';
import { Question } from '../../ui/overlay/question.js';
import { Answer } from '../../ui/states.js';
import { Badge } from '../../ui/words/badge.js';
import { nounWords } from '../../ui/words/figures.js';
import { useTeamName } from '../team/team-filter.js';
import { StepUses } from './step-uses.js';
import { StepVersions } from './step-versions.js';
import { useMayChangeStep, useStep } from './steps-data.js';

/** One step: the stories that use it, which are updated here, and its versions. */
export function StepPage() {
  const id = Number(useParams<{ id: string }>().id);
  const step = useStep(id);
  useTitle(step.data?.name ?? 'Step');
  return (
    <div className="page">
      <BackLink href="/steps">All steps</BackLink>
      <Answer of={step} lines={8}>
        {(data) => (
          <>
            <StepHead step={data} />
            <StepUses step={data} />
            <StepVersions step={data} />
          </>
        )}
      </Answer>
    </div>
  );
}

function StepHead({ step }: { step: Step }) {
  const { id, name, description, version, actions, stories, team_id: team } = step;
  const teamName = useTeamName();
  const mayChange = useMayChangeStep(step);
  const [, go] = useLocation();
  const [open, setOpen] = useState<'edit' | 'delete'>();
  const close = () => setOpen(undefined);
  const deleting = useChange(() => api.steps.delete({ id }), {
    did: 'Step deleted.',
    old: ['steps'],
    onDone: () => go('/steps'),
  });
  return (
    <>
      <header className="page-head">
        <h1 className="wrap">{name}</h1>
        <Badge>version {version}</Badge>
        <span className="page-note">
          {nounWords(actions, 'action')}, <bdi>{team === null ? 'all teams' : teamName(team)}</bdi>
        </span>
        {mayChange && (
          <>
            <Button onClick={() => setOpen('edit')}>
              <Pencil aria-hidden="true" /> Settings
            </Button>
            <Button look="danger" onClick={() => setOpen('delete')}>
              <Trash2 aria-hidden="true" /> Delete
            </Button>
          </>
        )}
      </header>
      {description !== '' && <p className="soft wrap">{description}</p>}
      {open === 'edit' && <EditStep step={step} onClose={close} />}
      {open === 'delete' && (
        <Question
          title={`Delete ${isolated(name)}?`}
          about={`This cannot be undone. ${nounWords(stories, 'story', 'stories')} that you may see ${stories === 1 ? 'keeps its' : 'keep their'} actions, and can no longer be updated.`}
          button="Delete"
          isBusy={deleting.isPending}
          onYes={() => deleting.mutate(undefined)}
          onClose={close}
        />
      )}
    </>
  );
}

function EditStep({ step: { id, name, description }, onClose }: { step: Step; onClose: () => void }) {
  const saving = useChange(
    (given: { name: string; description: string }) => api.steps.update({ id, ...given }),
    { did: 'Step saved.', old: ['steps'], onDone: onClose },
  );
  return (
    <FormDialog
      title="Settings of the step"
      button="Save"
      isBusy={saving.isPending}
      onClose={onClose}
      onSend={(form) =>
        saving.mutate({ name: textIn(form, 'name'), description: textIn(form, 'description') })
      }
    >
      <Field name="Name">
        <Input name="name" required maxLength={255} defaultValue={name} />
      </Field>
      <Field name="Description">
        <TextArea name="description" maxLength={10_000} defaultValue={description} />
      </Field>
    </FormDialog>
  );
}
