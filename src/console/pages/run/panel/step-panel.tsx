import { ExternalLink, Link2, X } from 'lucide-react';
import { Link } from 'wouter';
import { Badge } from '../../../ui/words/badge.js';
import { IconButton } from '../../../ui/form/button.js';
import { copyText } from '../../../ui/words/copy-text.js';
import { spanWords } from '../../../ui/words/since.js';
import { Tabs } from '../../../ui/tabs.js';
import { ExactTime } from '../exact-time.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { useEvent, useRunLog } from '../run-data.js';
import { RequestTab } from '../exchange/request-tab.js';
import { isolated } from '../../../text/isolated.js';
import { slugOf } from '../../../text/action-slug.js';
import { LogLines } from '../../../ui/lists/log-lines.js';
import { clockWords, waitSentence } from '../../../text/wait-words.js';
import { nounWords } from '../../../ui/words/figures.js';
import { WaitLink } from '../../../ui/words/wait-link.js';
import type { OpenDelivery, Step } from '../run-tree.js';
import { StepActions } from './step-actions.js';
import type { StepPlace } from './step-place.js';

interface StepPanelProps extends StepPlace {
  tab: string;
  onTab: (tab: string) => void;
  onClose: () => void;
}

/** The details of one step: what the action saw, its options, what it put out, and its log. */
export function StepPanel({ tab, onTab, onClose, ...place }: StepPanelProps) {
  const { step } = place;
  const requests = {
    key: 'options',
    name: 'Request and response',
    content: () => <RequestTab key={step.key} {...place} />,
  };
  // Of a step that failed, the first question is what it sent and what came back.
  const isAboutFailure = step.dead !== undefined || step.attempts.length > 0;
  const output = { key: 'output', name: 'Output', content: () => <OutputTab key={step.key} {...place} /> };
  const input = { key: 'input', name: 'Input', content: () => <InputTab key={step.key} {...place} /> };
  const log = { key: 'log', name: 'Log', content: () => <RunLogTab {...place} /> };
  const tabs = isAboutFailure ? [requests, input, output, log] : [output, input, requests, log];
  const chosen = tabs.find(({ key }) => key === tab) ?? tabs[0];
  return (
    <aside
      className={`panel run-panel ${chosen === requests ? 'for-two' : ''}`}
      aria-label={`Step ${step.actionName ?? 'of a deleted action'}`}
    >
      <header className="panel-head">
        <div className="row">
          <h2 className="grow wrap" title={step.actionName ?? undefined}>
            {step.actionName ?? 'Deleted action'}
          </h2>
          {step.event !== undefined && (
            <Link
              href={`/events/${step.event.id}`}
              className="button quiet icon"
              aria-label="Open event page"
              title="Open event page"
            >
              <ExternalLink />
            </Link>
          )}
          <IconButton label="Copy link to this step" onClick={() => void copyText(location.href, 'link')}>
            <Link2 />
          </IconButton>
          <IconButton label="Close" onClick={onClose}>
            <X />
          </IconButton>
        </div>
        <div className="row row-wrap faint">
          {step.event !== undefined && <Badge>event {step.event.id}</Badge>}
          <ExactTime at={step.to} />
          {step.to > step.from && <span>{spanWords(step.to - step.from)} after the previous event</span>}
          {typeof step.event?.work_ms === 'number' && <span>{spanWords(step.event.work_ms)} running</span>}
        </div>
        <StateNote step={step} />
        <StepActions {...place} />
      </header>
      <Tabs label="Details" tabs={tabs} chosen={chosen?.key ?? ''} onChoose={onTab} />
    </aside>
  );
}

/** The input of the action: one key for each action before it. */
function InputTab({ step, input }: StepPlace) {
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

/** The action's own output, as receivers see it under its key. */
function OutputTab({ step }: StepPlace) {
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

/** The lines that the action wrote about this step. */
function RunLogTab({ step, guid }: StepPlace) {
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

/** Why a step failed, or what it waits for and until when. */
function StateNote({ step: { dead, open } }: { step: Step }) {
  if (dead !== undefined) {
    return (
      <p className="wrap bad" title={dead.error ?? undefined}>
        {isolated(dead.cause ?? dead.error ?? 'This step failed.')}{' '}
        <span className="faint">({nounWords(dead.attempts, 'attempt')})</span>
      </p>
    );
  }
  if (open === undefined) return null;
  return (
    <p className="wrap" title={open.error ?? undefined}>
      {open.attempts > 0 && open.reason === 'retry'
        ? `Will be retried after ${nounWords(open.attempts, 'attempt')}${untilOf(open)}.`
        : `${waitSentence(open.reason, open.waits_until)}.`}{' '}
      <WaitLink reason={open.reason} />
      {open.error !== null && (
        <span className="warn"> The last attempt failed: {isolated(open.cause ?? open.error)}</span>
      )}
    </p>
  );
}

const untilOf = ({ waits_until: at }: OpenDelivery) => (at === null ? '' : `, ${clockWords(at)}`);
