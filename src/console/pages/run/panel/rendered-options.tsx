import type { ActionTrial } from '../../../../../clients/typescript/api.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { Answer, Loading, Nothing } from '../../../ui/states.js';
import { useMayChange } from '../../story/story-data.js';
import { useDryRun, useEvent } from '../run-data.js';
import { RequestView } from '../exchange/request-view.js';
import type { StepPlace } from './step-place.js';
import { isolated } from '../../../text/isolated.js';

interface RenderedOptionsProps extends StepPlace {
  /** The beginning of the sentence that says why it is made anew. */
  reason: string;
}

/** The options rendered with what the action saw, and the requests that come of them; secrets are markers. */
export function RenderedOptions(place: RenderedOptionsProps) {
  const { step, input, storyId } = place;
  const mayChange = useMayChange(storyId);
  if (step.inputId === undefined && (input === null || input === undefined)) {
    return <Nothing title="No options were rendered: this action started the run." />;
  }
  if (mayChange === undefined) return <Loading />;
  // A template may render anything that the team has, so the server renders for those who may change the story.
  return mayChange ? (
    <Rendered {...place} />
  ) : (
    <Nothing title="Only team editors can view rendered options.">
      <p>You can view the output, the input and the log.</p>
    </Nothing>
  );
}

function Rendered({ step, input, reason }: RenderedOptionsProps) {
  const trial = useDryRun({ actionId: step.actionId, eventId: step.inputId, input });
  return (
    <Answer of={trial}>
      {(done) => (
        <div className="stack tab-space">
          <p className="faint">
            {reason} again with the action's current options. Nothing is sent, and secrets are omitted.
          </p>
          {done.error !== null && <p className="bad wrap">{done.error}</p>}
          {done.requests.map((request, at) => (
            // A request is told from another by its place alone.
            <RequestView key={at} title="Request if sent now" request={request} />
          ))}
          {done.requests.length > 0 && step.event !== undefined && <Response eventId={step.event.id} />}
          {done.mails.length > 0 && <Part title="Mails" value={done.mails} />}
          <Options trial={done} />
          {done.left_out.length > 0 && (
            <p className="faint wrap">Too large to display: {done.left_out.map(isolated).join(', ')}</p>
          )}
        </div>
      )}
    </Answer>
  );
}

/** The output of an HTTP action is the response that it got. */
function Response({ eventId }: { eventId: number }) {
  const event = useEvent(eventId, 'own');
  return <Answer of={event}>{({ payload }) => <Part title="Response in this run" value={payload} />}</Answer>;
}

function Options({ trial }: { trial: ActionTrial }) {
  if (trial.options === null) return <p className="soft">The options could not be rendered.</p>;
  return <Part title="Rendered options" value={trial.options} />;
}

function Part({ title, value }: { title: string; value: unknown }) {
  return (
    <section className="stack part" aria-label={title}>
      <h3>{title}</h3>
      <JsonView value={value} label={title} />
    </section>
  );
}
