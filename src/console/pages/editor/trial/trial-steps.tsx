import type { StoryTrial, TriedEvent } from '../../../../../clients/typescript/api.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { isolated } from '../../../text/isolated.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { Button } from '../../../ui/form/button.js';
import { Badge } from '../../../ui/words/badge.js';
import { nounWords } from '../../../ui/words/figures.js';
import { ChangeTable } from '../../event/change-table.js';
import { INSPECTOR_COVERS_PX } from '../inspector-focus.js';
import { useEditor } from '../editor-context.js';
import { PortWord } from './port-word.js';
import { keysOf, stepsOf, type TrialStep } from './trial-marks.js';
import { hasNoMatchPort } from './trial-words.js';
import styles from './trial.module.css';

const MOST_CHANGES = 50;
/** More steps make the browser slow. */
const MOST_STEPS = 200;

/** The events of a trial in order, with what differs from the past run. */
export function TrialSteps({ trial, draft }: { trial: StoryTrial; draft: StoryDraft }) {
  const { difference } = trial;
  const steps = stepsOf(trial);
  if (steps.length === 0) return <p className="soft">No action emitted an event.</p>;
  return (
    <div className="stack">
      <ol className={styles['steps']}>
        {steps.slice(0, MOST_STEPS).map((step, at) => (
          // A trial does not change: the place says all about a step.
          <li key={at}>
            <Step step={step} draft={draft} />
          </li>
        ))}
      </ol>
      {steps.length > MOST_STEPS && (
        <p className="faint">{nounWords(steps.length - MOST_STEPS, 'more step')}</p>
      )}
      {difference?.actions.map(({ action, missing, errors }, at) => (
        <div key={action?.guid ?? at}>
          {missing.length > 0 && (
            <p className="warn wrap">
              <strong>{action?.name ?? 'A deleted action'}</strong> emitted{' '}
              {nounWords(missing.length, 'more event')} in the run.
            </p>
          )}
          {errors !== null && (
            <p className="warn wrap">
              <strong>{action?.name ?? 'A deleted action'}</strong> failed in the run:{' '}
              {errors.before.map(isolated).join('; ') || 'never'}.
            </p>
          )}
        </div>
      ))}
      {difference !== null && difference.varying.length > 0 && (
        <details>
          <summary>
            {nounWords(difference.varying.length, 'part')} not compared: different in every run
          </summary>
          <ul>
            {difference.varying.map(({ action, path }) => (
              <li key={`${action?.guid} ${path}`} className="wrap">
                <strong>{action?.name}</strong> <code>{path || 'whole value'}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function Step({ step, draft }: { step: TrialStep; draft: StoryDraft }) {
  if (step.kind === 'error') {
    return (
      <p className="row row-wrap">
        <Badge tone="bad">failed</Badge>
        <ActionName action={step.action} draft={draft} />
        <span className="bad wrap">{step.error}</span>
      </p>
    );
  }
  if (step.kind === 'silent') {
    return (
      <p className="row row-wrap">
        <ActionName action={step.action} draft={draft} />
        <span className="soft">{isTrigger(step.action, draft) ? 'no match, no event' : 'no event'}</span>
      </p>
    );
  }
  const { event, changes, isAdded } = step;
  return (
    <div className="stack">
      <p className="row row-wrap">
        <ActionName action={event.action} draft={draft} />
        <PortWord port={event.port} isTrigger={isTrigger(event.action, draft)} />
        {changes.length > 0 && <Badge tone="warn">differs</Badge>}
        {isAdded && <Badge tone="warn">not in the run</Badge>}
      </p>
      {changes.length > 0 && (
        <ChangeTable changes={changes.slice(0, MOST_CHANGES)} before="In the run" after="In the trial" />
      )}
      {changes.length > MOST_CHANGES && (
        <p className="faint">{nounWords(changes.length - MOST_CHANGES, 'more change')}</p>
      )}
      <Payload event={event} />
    </div>
  );
}

const isTrigger = (action: TriedEvent['action'], { actions }: StoryDraft): boolean => {
  const key = action === null ? undefined : keysOf(actions)(action);
  return key !== undefined && hasNoMatchPort(actions.get(key));
};

function Payload({ event: { action, payload } }: { event: TriedEvent }) {
  return (
    <details>
      <summary>Event</summary>
      <JsonView label={`Event of ${action?.name ?? 'the input'}`} value={payload} />
    </details>
  );
}

/** The name of an action, which chooses it on the canvas. */
function ActionName({ action, draft }: { action: TriedEvent['action']; draft: StoryDraft }) {
  const { view } = useEditor();
  const key = action === null ? undefined : keysOf(draft.actions)(action);
  if (action === null || key === undefined) return <strong>{action?.name ?? 'input'}</strong>;
  const choose = () => {
    view.getState().choose({ actions: [key] });
    // In a narrow window the panel covers the story.
    if (innerWidth < INSPECTOR_COVERS_PX) view.getState().openTrial(false);
  };
  return (
    <Button look="quiet" title="Choose the action" onClick={choose}>
      {action.name}
    </Button>
  );
}
