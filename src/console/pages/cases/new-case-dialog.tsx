import './cases.css';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Case } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { sentencesOf } from '../../text/problems.js';
import { useTeamsWith } from '../../api/signed-in.js';
import { useKeptText } from '../../api/use-kept-text.js';
import { Button } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { Field, Input, Select } from '../../ui/form/field.js';
import { textIn } from '../../ui/form/form-text.js';
import { TeamField } from '../team/team-field.js';
import { PRIORITY_WORDS } from './case-marks.js';
import { PRIORITIES } from './case-query.js';
import { useCaseWork } from './cases-data.js';

/** The beginning of a case that is about something, such as a failed run. */
export interface CaseStart {
  teamId: number | undefined;
  name: string;
  description: string;
}

interface NewCaseProps {
  /** Fills the fields, which the person may change. */
  start?: CaseStart;
  onClose: () => void;
}

/** Opens a case, and shows its page. */
export function NewCaseDialog({ start, onClose }: NewCaseProps) {
  const teams = useTeamsWith('write');
  const [, go] = useLocation();
  const [faults, setFaults] = useState<string[]>([]);
  const [description, setDescription, forgetDescription] = useKeptText(
    start === undefined ? 'case.new' : `case.new ${start.name}`,
    start?.description,
  );
  const making = useCaseWork({ quiet: true });
  const leave = () => {
    forgetDescription();
    onClose();
  };
  const make = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const work = async () => {
      const { case_id: id } = await api.cases.create({
        team_id: Number(textIn(form, 'team')),
        name: textIn(form, 'name').trim(),
        description,
        priority: textIn(form, 'priority') as Case['priority'],
        tag_names: listIn(textIn(form, 'tags')),
      });
      forgetDescription();
      go(`/cases/${id}`);
    };
    making.mutate(work, { onError: (error) => setFaults(sentencesOf(error)) });
  };
  return (
    <Dialog
      title="New case"
      about="The case will be assigned to you."
      isTyped={description !== (start?.description ?? '')}
      onClose={leave}
    >
      <form onSubmit={make} className="case-form">
        <div className="dialog-body stack">
          <Field name="Name">
            <Input
              name="name"
              required
              maxLength={255}
              pattern=".*\S.*"
              autoComplete="off"
              defaultValue={start?.name}
            />
          </Field>
          <div className="row">
            <TeamField teams={teams} team={start?.teamId} />
            <PriorityField usual="MEDIUM" />
          </div>
          <DescriptionField text={description} onText={setDescription} />
          <Field name="Tags" note="Separate tags with commas. New tags are added to the team.">
            <Input name="tags" autoComplete="off" />
          </Field>
          <Faults of={faults} />
        </div>
        <footer className="dialog-foot">
          <Button onClick={leave}>Cancel</Button>
          <Button type="submit" look="main" disabled={making.isPending}>
            Create case
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** The field `priority` of a form. */
export function PriorityField({ usual }: { usual: Case['priority'] }) {
  return (
    <Field name="Priority">
      <Select name="priority" defaultValue={usual}>
        {PRIORITIES.map((each) => (
          <option key={each} value={each}>
            {PRIORITY_WORDS[each]}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** The field `description` of a form. */
export function DescriptionField({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <Field
      name="Description"
      note={
        <>
          Supports Markdown. <code>{'<@user-12>'}</code> mentions the user with id 12.
        </>
      }
    >
      <textarea
        name="description"
        className="input"
        rows={6}
        maxLength={65_535}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
    </Field>
  );
}

/** Why the server refused a form. */
export function Faults({ of: sentences }: { of: string[] }) {
  if (sentences.length === 0) return null;
  return (
    <div role="alert" className="bad">
      {sentences.map((sentence) => (
        <p key={sentence} className="wrap">
          {sentence}
        </p>
      ))}
    </div>
  );
}

/** Returns the words of a text with commas between them. */
function listIn(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
