import { useState } from 'react';
import type { GraphAction, Step } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { useIsOwner, useTeamsWith } from '../../../api/signed-in.js';
import type { StoryLanguage } from '../../../request-import/literal-text.js';
import {
  markAsStep,
  notesOfUses,
  type StepMarks,
  stepOf,
  stepOfNote,
} from '../../../story-model/fragment/action-step.js';
import type { Fragment } from '../../../story-model/fragment/fragment.js';
import { newGuid, type Selection, type StoryDraft } from '../../../story-model/story-draft.js';
import { withoutSecrets } from '../../../story-model/fragment/without-secrets.js';
import { textIn } from '../../../ui/form/form-text.js';
import { Field, Input, Select, TextArea } from '../../../ui/form/field.js';
import { countWords } from '../../../ui/words/figures.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { Failed } from '../../../ui/states.js';
import { useEditor, useRun } from '../editor-context.js';
import type { CanvasWork } from '../canvas/canvas-work.js';
import { useStoryLanguage } from '../request-import/request-import-data.js';
import { stepFragment, useTeamSteps } from './editor-steps-data.js';

interface SaveStepProps {
  work: CanvasWork;
  onClose: () => void;
}

/** The choice in place of a team: all of the tenant. */
const ALL_TEAMS = 'all';

/** Keeps what is chosen on the canvas as a step, or as a new version of the one that it came from. */
export function SaveStepDialog({ work, onClose }: SaveStepProps) {
  const { teamId } = useEditor();
  const run = useRun();
  const asked = useStoryLanguage();
  const language = asked.data;
  const [chosen] = useState(() => work.targets());
  const agents = work.copied(chosen).agents;
  const known = useKnownStep(agents, language);
  const [isNew, setNew] = useState(false);
  const isVersion = known !== undefined && !isNew;
  const saving = useChange(
    async (given: { name: string; description: string; team: number | null; reason: string }) => {
      const saved = savedParts(work.draft(), chosen, isVersion);
      const fragment = work.copied(saved);
      const { agents, links, notes } = withoutSecrets(fragment);
      const content = { agents: [...agents], links: [...links], notes: [...notes] };
      const { reason, name, description, team } = given;
      const step = isVersion
        ? await api.steps.versions.create({ id: known.id, reason, content })
        : await api.steps.create({
            name,
            description,
            team_id: team,
            ...(language && { language }),
            reason,
            content,
          });
      return { step, saved, fragment, kept: await stepFragment(step) };
    },
    {
      old: ['steps'],
      onDone: ({ step, saved, fragment, kept }) => {
        run(markAsStep(step.name, marksOf(saved, fragment, kept)));
        work.say(`Saved the step ${step.name}, version ${step.version}`);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title="Save as a step"
      about={`${work.words({ actions: chosen.actions })} can then be used in other stories. Secrets and webhook URLs are left out.`}
      button={isVersion ? `Save version ${known.version + 1}` : 'Save'}
      isBusy={saving.isPending || language === undefined}
      onClose={onClose}
      onSend={(form) => {
        const team = isVersion ? ALL_TEAMS : textIn(form, 'team');
        saving.mutate({
          name: isVersion ? '' : textIn(form, 'name'),
          description: isVersion ? '' : textIn(form, 'description'),
          team: team === ALL_TEAMS ? null : Number(team),
          reason: textIn(form, 'reason'),
        });
      }}
    >
      {language === undefined && asked.error !== null && <Failed error={asked.error} retry={asked.refetch} />}
      {known !== undefined && (
        <Field name="As">
          <Select value={isNew ? 'new' : 'version'} onChange={({ target }) => setNew(target.value === 'new')}>
            <option value="version">{`A new version of ${known.name}`}</option>
            <option value="new">A step of its own</option>
          </Select>
        </Field>
      )}
      {isVersion && <LostActions step={known} actions={agents} />}
      {!isVersion && <NewStepFields name={work.nameOf(chosen.actions[0] ?? '')} teamId={teamId} />}
      <Field name="Why (optional)">
        <Input name="reason" maxLength={500} />
      </Field>
    </FormDialog>
  );
}

/** Says that the next version lacks actions: stories lose them with an update. */
function LostActions({ step, actions }: { step: Step; actions: readonly GraphAction[] }) {
  const marks = actions.map(stepOf).filter((mark) => mark?.guid === step.guid);
  const lost = step.actions - new Set(marks.map((mark) => mark?.action)).size;
  if (lost <= 0) return null;
  const words = lost === 1 ? '1 action of the step is' : `${countWords(lost)} actions of the step are`;
  return (
    <p className="warn">{`${words} not selected. Stories lose ${lost === 1 ? 'it' : 'them'} with the update.`}</p>
  );
}

function NewStepFields({ name, teamId }: { name: string; teamId: number }) {
  const teams = useTeamsWith('write');
  const isOwner = useIsOwner();
  return (
    <>
      <Field name="Name">
        <Input name="name" required maxLength={255} defaultValue={name} />
      </Field>
      <Field name="Description">
        <TextArea name="description" maxLength={10_000} />
      </Field>
      <Field name="For">
        <Select name="team" defaultValue={teamId}>
          {teams.map(({ id, name: team }) => (
            <option key={id} value={id}>
              {team}
            </option>
          ))}
          {isOwner && <option value={ALL_TEAMS}>All teams</option>}
        </Select>
      </Field>
    </>
  );
}

/** Returns the step that one of these actions came from, if the person may give it a new version here. */
function useKnownStep(
  actions: readonly GraphAction[],
  language: StoryLanguage | undefined,
): Step | undefined {
  const steps = useTeamSteps(useEditor().teamId);
  const isOwner = useIsOwner();
  const teams = useTeamsWith('write');
  const guids = new Set(actions.flatMap((action) => stepOf(action)?.guid ?? []));
  return steps.find(
    ({ guid, team_id: team, language: own }) =>
      guids.has(guid) && own === language && (team === null ? isOwner : teams.some(({ id }) => id === team)),
  );
}

/** Returns what is saved, in the order of the draft. Notes of a step are in its next version without being chosen. */
function savedParts(draft: StoryDraft, chosen: Selection, isVersion: boolean) {
  const actions = new Set(chosen.actions);
  const notes = new Set([...(chosen.notes ?? []), ...(isVersion ? notesOfUses(draft, actions) : [])]);
  return {
    actions: [...draft.actions.keys()].filter((key) => actions.has(key)),
    notes: [...draft.notes.keys()].filter((key) => notes.has(key)),
  };
}

/** The saved parts remember the step: those that are one use of it already stay so. */
function marksOf(
  saved: { actions: readonly string[]; notes: readonly string[] },
  before: Fragment,
  kept: Fragment,
): StepMarks {
  const marks = kept.agents.map((action) => stepOf(action));
  const own = before.agents.map(stepOf).find((mark) => mark !== undefined && mark.guid === marks[0]?.guid);
  const use = own?.use ?? newGuid();
  const named = <Mark extends object>(keys: readonly string[], all: readonly (Mark | undefined)[]) =>
    new Map(
      keys.flatMap((key, at): [string, Mark & { use: string }][] => {
        const mark = all[at];
        return mark === undefined ? [] : [[key, { ...mark, use }]];
      }),
    );
  return { actions: named(saved.actions, marks), notes: named(saved.notes, kept.notes.map(stepOfNote)) };
}
