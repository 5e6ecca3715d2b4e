import { JsonView } from '../../../ui/json-view/json-view.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { useEvent } from '../run-data.js';
import type { StepPlace } from './step-place.js';

/** The input of the action: one key for each action before it. */
export function InputTab({ step, input }: StepPlace) {
  const event = useEvent(step.inputId, 'whole');
  if (step.inputId === undefined) {
    return input === null || input === undefined ? (
      <Nothing title="No input: this action started the run." />
    ) : (
      <div className="tab-fill">
        <JsonView fills value={input} label="Input of the run" />
      </div>
    );
  }
  return (
    <Answer of={event}>
      {({ payload, incomplete }) => (
        <div className="tab-fill">
          {incomplete && (
            <p className="faint tab-note">Parts of its input were deleted or are too large to display.</p>
          )}
          <JsonView fills value={payload} label="Input of the action" />
        </div>
      )}
    </Answer>
  );
}
