import { LogLines } from '../../../ui/log-lines.js';
import { Answer } from '../../../ui/states.js';
import { useRunLog } from '../run-data.js';
import type { StepPlace } from './step-place.js';

/** The lines that the action wrote about this step. */
export function RunLogTab({ step, guid }: StepPlace) {
  const log = useRunLog(step.actionId, guid);
  return (
    <Answer of={log}>
      {(lines) => (
        <LogLines
          lines={lines.filter(({ inbound_event_id: id }) => (id ?? undefined) === step.inputId)}
          empty="No log lines for this step."
        />
      )}
    </Answer>
  );
}
