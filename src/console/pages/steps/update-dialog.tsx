import { useState } from 'react';
import { Link } from 'wouter';
import type { Step, StepUpdate } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useChange } from '../../api/use-change.js';
import { Button } from '../../ui/form/button.js';
import { Tick } from '../../ui/form/field.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { say } from '../../ui/overlay/toasts.js';
import { Answer } from '../../ui/states.js';
import { nounWords } from '../../ui/words/figures.js';
import { DifferenceList } from '../editor/publish/difference-list.js';
import { StepConflicts, type StepSide } from './step-conflicts.js';
import { decidedOf, doneWords, updateWords } from './step-words.js';
import styles from './steps.module.css';
import { useUpdatePreview } from './steps-data.js';

interface UpdateDialogProps {
  step: Step;
  storyIds: readonly number[];
  onClose: () => void;
}

/** The changes of an update in each story, and the button that makes them. */
export function UpdateDialog({ step, storyIds, onClose }: UpdateDialogProps) {
  const preview = useUpdatePreview(step, storyIds);
  return (
    <Dialog
      wide
      title={`Update to version ${step.version}`}
      about="Names, places and webhook URLs stay, and so does what a story has changed itself."
      onClose={onClose}
    >
      <Answer of={preview} lines={6}>
        {(updates) => <UpdateForm step={step} updates={updates} onClose={onClose} />}
      </Answer>
    </Dialog>
  );
}

interface UpdateFormProps {
  step: Step;
  /** The result of a preview. */
  updates: readonly StepUpdate[];
  onClose: () => void;
}

/** The stories with their differences; conflicts are decided here. */
export function UpdateForm({ step, updates: previewed, onClose }: UpdateFormProps) {
  const [updates, setUpdates] = useState(previewed);
  const [choices, setChoices] = useState<ReadonlyMap<string, StepSide>>(new Map());
  const [intoDrafts, setIntoDrafts] = useState(false);
  const isDecided = (update: StepUpdate) =>
    update.status === 'ready' ||
    (update.status === 'conflicts' &&
      update.conflicts.length === update.conflict_count &&
      update.conflicts.every(({ entry }) => choices.has(entry)));
  const ready = updates.filter(isDecided);
  const updating = useChange(
    async () =>
      (
        await api.steps.updates.update({
          id: step.id,
          version: step.version,
          into_drafts: intoDrafts,
          stories: ready.map(({ story_id: id, conflicts }) => ({
            id,
            resolve: conflicts.flatMap(({ entry }) => {
              const take = choices.get(entry);
              return take === undefined ? [] : [{ entry, take }];
            }),
          })),
        })
      ).updates,
    {
      old: ['steps', 'stories', 'story', 'graph', 'drafts', 'versions'],
      onDone: (done) => {
        say(doneWords(done));
        const results = new Map(done.map((each) => [each.story_id, each]));
        const left = updates.map((each) => results.get(each.story_id) ?? each);
        const isOver = left.every(({ status, into_draft: isDraft }) => status === 'updated' && !isDraft);
        if (isOver) onClose();
        else setUpdates(left);
      },
    },
  );
  return (
    <>
      <div className="dialog-body stack">
        {updates.map((update) => (
          <StoryPart
            key={update.story_id}
            update={update}
            choices={choices}
            onChoose={(entry, side) => setChoices(new Map([...choices, [entry, side]]))}
          />
        ))}
      </div>
      <footer className="dialog-foot">
        <Tick checked={intoDrafts} onChange={({ target }) => setIntoDrafts(target.checked)}>
          Into new drafts
        </Tick>
        <Button onClick={onClose}>Close</Button>
        <Button
          look="main"
          disabled={ready.length === 0 || updating.isPending}
          onClick={() => updating.mutate(undefined)}
        >
          Update {nounWords(ready.length, 'story', 'stories')}
        </Button>
      </footer>
    </>
  );
}

interface StoryPartProps {
  update: StepUpdate;
  choices: ReadonlyMap<string, StepSide>;
  onChoose: (entry: string, side: StepSide) => void;
}

function StoryPart({ update, choices, onChoose }: StoryPartProps) {
  const { story_id: id, story_name: name, draft_id: draft, status, warnings } = update;
  return (
    <section className={styles['story']} aria-label={name}>
      <h3 className="wrap">
        <bdi>{name}</bdi>
      </h3>
      <p className={status === 'refused' || status === 'conflicts' ? 'warn' : 'soft'}>
        {updateWords(update)}
        {draft !== null && (
          <>
            {': '}
            <Link href={`/stories/${id}/edit?draft=${draft}`}>open the draft</Link>
          </>
        )}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="warn wrap">
          {warning}
        </p>
      ))}
      {status === 'conflicts' && (
        <StepConflicts conflicts={update.conflicts} choices={choices} onChoose={onChoose} />
      )}
      {(status === 'ready' || status === 'conflicts') && (
        <DifferenceList
          differences={decidedOf(update)}
          nothing={status === 'ready' ? 'Only the number of the version changes.' : 'Nothing else changes.'}
        />
      )}
    </section>
  );
}
