import { JsonView } from '../../../ui/json-view/json-view.js';
import { slugOf } from '../../../text/action-slug.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { useEvent } from '../run-data.js';
import type { StepPlace } from './step-place.js';

/** The action's own output, as receivers see it under its key. */
export function OutputTab({ step }: StepPlace) {
  const event = useEvent(step.event?.id, 'own');
  if (step.event === undefined) {
    const title = step.dead === undefined ? 'No output yet.' : 'No output: the action failed.';
    return <Nothing title={title} />;
  }
  return (
    <Answer of={event}>
      {({ payload, incomplete }) => (
        <div className="tab-fill">
          {incomplete && (
            <p className="faint tab-note">The payload was deleted or is too large to display.</p>
          )}
          <JsonView
            fills
            value={payload}
            label="Output"
            root={[slugOf(step.actionName ?? '')].filter(Boolean)}
          />
        </div>
      )}
    </Answer>
  );
}
