import { Play } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Action, ActiveStory } from '../../../../../clients/typescript/api.js';
import { useKeptText } from '../../../api/use-kept-text.js';
import { useMutation } from '../../../api/use-mutation.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Select, TextArea } from '../../../ui/form/field.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { say } from '../../../ui/overlay/toasts.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { runPath } from '../../runs/run-words.js';
import { type Place, useGraph } from '../story-data.js';
import { type FirstPayload, payloadFault, startRun, startsOf, useFirstPayload } from './start-data.js';

interface StartDialogProps {
  story: ActiveStory;
  place: Place;
  onClose: () => void;
}

const FROM: Record<FirstPayload['from'], string> = {
  event: 'Payload of the last event of this action.',
  run: 'Input of the last run.',
  sample: 'Sample of the gallery.',
  nothing: 'A JSON object.',
};

/** Asks at which action a run starts and with which payload, starts it, and leads to it. */
export function StartDialog({ story, place, onClose }: StartDialogProps) {
  const isDraft = place.draftId !== undefined;
  return (
    <Dialog
      wide
      title={isDraft ? 'Start a run of the draft' : `Start ${story.name}`}
      about={
        isDraft
          ? 'Requests and mails are sent, with the test values of credentials and resources.'
          : 'This is a real run: requests and mails are sent.'
      }
      onClose={onClose}
    >
      <Answer of={useGraph(place)} lines={4}>
        {({ actions }) =>
          actions.length === 0 ? (
            <Nothing title="This story has no actions yet." />
          ) : (
            <Chosen story={story} place={place} actions={actions} onClose={onClose} />
          )
        }
      </Answer>
    </Dialog>
  );
}

interface ChosenProps extends StartDialogProps {
  actions: readonly Action[];
}

function Chosen({ story, place, actions, onClose }: ChosenProps) {
  const { entries, others } = startsOf(actions);
  const [chosen, setChosen] = useState((entries[0] ?? others[0])?.id);
  const action = actions.find(({ id }) => id === chosen);
  const first = useFirstPayload(story, action);
  return (
    <>
      <div className="start-at">
        <Field name="Start at">
          <Select value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
            {entries.map(optionOf)}
            {others.length > 0 && <optgroup label="Other actions">{others.map(optionOf)}</optgroup>}
          </Select>
        </Field>
      </div>
      <Answer of={first} lines={4}>
        {(given) =>
          action !== undefined && (
            <Payload key={action.id} action={action} place={place} given={given} onClose={onClose} />
          )
        }
      </Answer>
    </>
  );
}

const optionOf = ({ id, name, disabled }: Action) => (
  <option key={id} value={id} disabled={disabled}>
    {name}
    {disabled && ' (disabled)'}
  </option>
);

interface PayloadProps {
  action: Action;
  place: Place;
  given: FirstPayload;
  onClose: () => void;
}

function Payload({ action, place: { storyId, draftId }, given, onClose }: PayloadProps) {
  const [, go] = useLocation();
  const [text, setText, forgetText] = useKeptText(`story.${storyId}.start.${action.id}`, given.text);
  const [begun] = useState(text);
  const fault = payloadFault(text);
  const note = text === begun ? 'Your text from before.' : FROM.nothing;
  const starting = useMutation({
    mutationFn: () => startRun(draftId ?? storyId, { actionId: action.id, payload: text }),
    onSuccess: (run) => {
      forgetText();
      say('Run started.');
      onClose();
      go(runPath(run));
    },
  });
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (fault === undefined) starting.mutate();
      }}
    >
      <div className="dialog-body stack">
        <Field name="Payload" note={text === given.text ? FROM[given.from] : note}>
          <TextArea
            className="start-text"
            rows={Math.min(16, Math.max(6, text.split('\n').length + 1))}
            value={text}
            aria-invalid={fault !== undefined}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        {fault !== undefined && (
          <p className="bad wrap" role="alert">
            {fault}
          </p>
        )}
      </div>
      <footer className="dialog-foot">
        {text !== given.text && <Button onClick={forgetText}>Reset payload</Button>}
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" disabled={fault !== undefined || starting.isPending}>
          <Play aria-hidden="true" /> Start the run
        </Button>
      </footer>
    </form>
  );
}
