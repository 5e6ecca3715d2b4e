import { Badge, type Tone } from '../../../ui/words/badge.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import { useRunLog } from '../run-data.js';
import type { StepPlace } from './step-place.js';

const TONES: Record<string, Tone> = { error: 'bad', warn: 'warn', info: 'plain', debug: 'plain' };

/** The lines that the action wrote about this step. */
export function RunLogTab({ step, guid }: StepPlace) {
  const log = useRunLog(step.actionId, guid);
  return (
    <Answer of={log}>
      {(lines) => {
        const own = lines.filter(({ inbound_event_id: id }) => (id ?? undefined) === step.inputId);
        if (own.length === 0) return <Nothing title="The action wrote no line about this step." />;
        return (
          <ul className="panel-items">
            {own.map(({ id, severity, message, created_at: at }) => (
              <li key={id}>
                <div className="row">
                  <Badge tone={TONES[severity] ?? 'plain'}>{severity}</Badge>
                  <span className="faint">
                    <Time at={at} />
                  </span>
                </div>
                <p className="wrap">{message}</p>
              </li>
            ))}
          </ul>
        );
      }}
    </Answer>
  );
}
