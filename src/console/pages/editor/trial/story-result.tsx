import { Send } from 'lucide-react';
import { useState } from 'react';
import type { CreateTrialBody, StoryTrial, TriedRequest } from '../../../../../clients/typescript/api.js';
import { useMay } from '../../../api/signed-in.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import { isolated } from '../../../text/isolated.js';
import { Button } from '../../../ui/form/button.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { Question } from '../../../ui/overlay/question.js';
import { Tabs } from '../../../ui/tabs.js';
import { Badge } from '../../../ui/words/badge.js';
import { nounWords } from '../../../ui/words/figures.js';
import { useEditor } from '../editor-context.js';
import { KeepTrialButton } from './keep-trial-button.js';
import { SentList } from './sent-list.js';
import { TrialLog } from './trial-log.js';
import { TrialSteps } from './trial-steps.js';
import { toSend } from './trial-request.js';
import { endOf, RESPONSE_FROM, summaryOf } from './trial-words.js';

interface StoryResultProps {
  trial: StoryTrial;
  /** The request of the trial. */
  body: CreateTrialBody;
  /** The name of the saved payload that was tried; undefined: none was. */
  sampleName: string | undefined;
  draft: StoryDraft;
  /** Nothing can be sent: a trial runs, or the story has changed since this one. */
  isHeld: boolean;
  /** Really sends the requests. */
  onSend: () => void;
}

/** What the story did in a trial, and how that differs from the past run. */
export function StoryResult({ trial, body, sampleName, draft, isHeld, onSend }: StoryResultProps) {
  const { events, requests, mails, records, logs, stopped, not_runnable: idle, missing } = trial;
  const [tab, setTab] = useState('events');
  const { word, tone } = endOf(trial);
  const wasSent = requests.some(({ response_from: from }) => from === 'sent');
  return (
    <div className="stack">
      <p className="row row-wrap" role="status">
        <Badge tone={tone}>{word}</Badge>
        <span>{summaryOf(trial)}</span>
        <span className="faint">{wasSent ? 'Requests were sent; mails were not.' : 'Nothing was sent.'}</span>
      </p>
      {!wasSent && <KeepTrialButton body={body} sampleName={sampleName} isHeld={isHeld} />}
      {stopped !== null && <p className="bad wrap">{stopped}</p>}
      {idle.map(({ name, reason }) => (
        <p key={name} className="bad wrap">
          <bdi>{name}</bdi>: {reason}
        </p>
      ))}
      <Lacking title="The team lacks" of={[...missing.credentials, ...missing.resources]} />
      <Lacking title="Unused responses of the run" of={trial.not_taken} />
      <Lacking title="Too large to display" of={trial.left_out} />
      <Tabs
        label="Result of the trial"
        chosen={tab}
        onChoose={setTab}
        tabs={[
          {
            key: 'events',
            name: `Events (${events.length})`,
            content: () => <TrialSteps trial={trial} draft={draft} />,
          },
          {
            key: 'requests',
            name: `Requests (${requests.length})`,
            content: () => <Requests trial={trial} isHeld={isHeld} onSend={onSend} />,
          },
          ...(mails.length + records.length === 0
            ? []
            : [
                {
                  key: 'effects',
                  name: `Mails and records (${mails.length + records.length})`,
                  content: () => <Effects trial={trial} />,
                },
              ]),
          { key: 'log', name: `Log (${logs.length})`, content: () => <TrialLog lines={logs} /> },
        ]}
      />
    </div>
  );
}

function Lacking({ title, of }: { title: string; of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <p className="warn wrap">
      {title}: {of.map(isolated).join(', ')}
    </p>
  );
}

function Requests({ trial, isHeld, onSend }: Pick<StoryResultProps, 'trial' | 'isHeld' | 'onSend'>) {
  const [isAsked, setAsked] = useState(false);
  const maySend = useMay('write', useEditor().teamId);
  const groups = toSend(trial);
  if (trial.requests.length === 0) return <p className="soft">No requests.</p>;
  return (
    <div className="stack">
      <ol>
        {trial.requests.map((request, at) => (
          // A trial does not change: the place says all about a request.
          <li key={at}>
            <RequestLine request={request} />
          </li>
        ))}
      </ol>
      {maySend && groups.length > 0 && (
        <div>
          <Button disabled={isHeld} onClick={() => setAsked(true)}>
            <Send aria-hidden="true" /> Really send…
          </Button>
        </div>
      )}
      {isAsked && (
        <Question
          title={`Really send ${nounWords(
            groups.reduce((sum, { count }) => sum + count, 0),
            'request',
          )}?`}
          about={`Other HTTP actions send nothing. Mails are never sent.${
            trial.calls.length > 0 ? ' Called stories may send other requests.' : ''
          }`}
          button="Send"
          isBusy={isHeld}
          onClose={() => setAsked(false)}
          onYes={() => {
            setAsked(false);
            onSend();
          }}
        >
          <SentList groups={groups} />
        </Question>
      )}
    </div>
  );
}

function RequestLine({ request }: { request: TriedRequest }) {
  const { action, method, url, headers, body, status, reason, response_from: from } = request;
  return (
    <details>
      <summary className="wrap">
        <strong>{action?.name ?? 'input'}</strong>{' '}
        <bdi>
          {method} {url}
        </bdi>{' '}
        <span className={from === 'none' ? 'warn' : 'soft'}>
          {status === 0 ? 'no response' : `${status} ${RESPONSE_FROM[from]}`}
        </span>
      </summary>
      {reason !== null && <p className="warn wrap">{reason}</p>}
      <JsonView label="Request" value={{ headers, body }} />
    </details>
  );
}

function Effects({ trial: { mails, records } }: { trial: StoryTrial }) {
  return (
    <ol>
      {[...mails, ...records].map(({ action, story, parent_id: parent, at_ms: at, ...rest }, place) => (
        <li key={place}>
          <details>
            <summary className="wrap">
              <strong>{action?.name ?? story}</strong>{' '}
              <span className="soft">{'record' in rest ? 'record, not written' : 'mail, not sent'}</span>
            </summary>
            <JsonView label={`Of event ${parent ?? 'input'} at ${at} ms`} value={rest} />
          </details>
        </li>
      ))}
    </ol>
  );
}
