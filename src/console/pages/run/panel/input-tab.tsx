import { JsonView } from '../../../ui/json-view/json-view.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { useEvent } from '../run-data.js';
import type { StepPlace } from './step-place.js';

/** The input of the action: one key for each action before it. */
export function InputTab({ step, input }: StepPlace) {
  const event = useEvent(step.inputId, 'whole');
  if (step.inputId === undefined) {
    return input === null || input === undefined ? (
      <Nothing title="Nothing was before it: it began the run." />
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
            <p className="faint tab-note">Parts of what it saw are deleted, or too large to be shown.</p>
          )}
          <JsonView fills value={payload} label="What the action saw" />
        </div>
      )}
    </Answer>
  );
}
