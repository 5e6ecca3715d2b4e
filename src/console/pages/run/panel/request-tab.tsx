import { useState } from 'react';
import type { LogLine, SentRequest } from '../../../../../clients/typescript/api.js';
import { Answer } from '../../../ui/states.js';
import { useEventRequest, useLineRequest, useRunLog } from '../run-data.js';
import { Time } from '../../../ui/words/time.js';
import { RenderedOptions } from './rendered-options.js';
import { SentRequestView } from './sent-request-view.js';
import type { StepPlace } from './step-place.js';

const FAILURES = new Set(['warn', 'error']);

/** The request that the action really sent in this step, and those of attempts that failed before. */
export function RequestTab(place: StepPlace) {
  const { step, guid } = place;
  const log = useRunLog(step.actionId, guid);
  const failures = (lines: LogLine[]) =>
    lines.filter(
      ({ severity, inbound_event_id: id }) => FAILURES.has(severity) && (id ?? undefined) === step.inputId,
    );
  if (step.event !== undefined) {
    return (
      <>
        <OfEvent id={step.event.id} place={place} />
        <Answer of={log} lines={1}>
          {(lines) => <Attempts title="Warnings and failed attempts" lines={failures(lines)} place={place} />}
        </Answer>
      </>
    );
  }
  return <Answer of={log}>{(lines) => <OfFailure place={place} failures={failures(lines)} />}</Answer>;
}

function OfEvent({ id, place }: { id: number; place: StepPlace }) {
  return (
    <Answer of={useEventRequest(id)}>
      {({ sent_request: sent }) => <Request sent={sent} place={place} />}
    </Answer>
  );
}

/** The request of a step without an event: the newest log line about a failure has it. */
function OfFailure({ place, failures }: { place: StepPlace; failures: LogLine[] }) {
  const [newest, ...older] = failures;
  const request = useLineRequest(place.step.actionId, newest?.id);
  if (newest === undefined) return <Request sent={null} place={place} />;
  return (
    <Answer of={request}>
      {({ sent_request: sent }) => (
        <>
          <Request sent={sent} place={place} />
          <Attempts title="Earlier attempts" lines={older} place={place} />
        </>
      )}
    </Answer>
  );
}

function Request({ sent, place }: { sent: SentRequest | null; place: StepPlace }) {
  if (sent === null)
    return (
      <RenderedOptions {...place} reason="No request was recorded for this step. This one is rendered" />
    );
  return (
    <div className="stack tab-space">
      <SentRequestView request={sent} />
      <MadeAnew {...place} />
    </div>
  );
}

function MadeAnew(place: StepPlace) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="made-anew" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Preview the current request</summary>
      {isOpen && <RenderedOptions {...place} reason="Rendered" />}
    </details>
  );
}

interface AttemptsProps {
  title: string;
  lines: LogLine[];
  place: StepPlace;
}

function Attempts({ title, lines, place }: AttemptsProps) {
  if (lines.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="tab-note">{title}</h3>
      <ul className="panel-items">
        {lines.map((line) => (
          <FailedAttempt key={line.id} actionId={place.step.actionId} line={line} />
        ))}
      </ul>
    </section>
  );
}

interface FailedAttemptProps {
  actionId: number;
  line: Pick<LogLine, 'id' | 'message' | 'created_at'>;
}

/** A line about a failed attempt; it opens to the request that the attempt sent. */
function FailedAttempt({ actionId, line }: FailedAttemptProps) {
  const [isOpen, setOpen] = useState(false);
  const request = useLineRequest(actionId, isOpen ? line.id : undefined);
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="wrap">
          <Time at={line.created_at} /> · {line.message}
        </summary>
        {isOpen && (
          <Answer of={request}>
            {({ sent_request: sent }) =>
              sent === null ? (
                <p className="faint">No request was recorded for this log line.</p>
              ) : (
                <SentRequestView request={sent} attempt={line.message} />
              )
            }
          </Answer>
        )}
      </details>
    </li>
  );
}
