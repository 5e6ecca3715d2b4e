import { Play } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { useMutation } from '../../../api/use-mutation.js';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { entryOf, isWebhook } from '../../../story-model/entry.js';
import { Button } from '../../../ui/form/button.js';
import { Question } from '../../../ui/overlay/question.js';
import { say } from '../../../ui/overlay/toasts.js';
import { nounWords } from '../../../ui/words/figures.js';
import { shortAddress } from '../../webhooks/calls/ready-call.js';
import { useWebhook } from '../../webhooks/webhooks-data.js';
import { useEdited, useEditor } from '../editor-context.js';
import { SentList } from './sent-list.js';
import { type SentPayload, useSentPayload } from './sent-payload.js';
import { toSend } from './trial-request.js';
import type { TrialDone } from './trial-store.js';
import { callOf } from './call-of-payload.js';

interface RealRunButtonProps {
  last: TrialDone | undefined;
  /** The payload as it is typed; undefined: nothing is typed. */
  typed: string | undefined;
}

/** Starts a real run with the payload, once it is said what that does. */
export function RealRunButton({ last, typed }: RealRunButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const entry = useEdited(({ draft }) => entryOf(draft));
  const sent = useSentPayload(entry, typed);
  const [refused, setRefused] = useState<string>();
  const id = entry?.id ?? undefined;
  if (entry === undefined || id === undefined) return null;
  const close = () => setAsked(false);
  const Asked = isWebhook(entry) ? CallQuestion : RunQuestion;
  return (
    <div className="stack">
      <div>
        <Button disabled={sent.payload === undefined} onClick={() => setAsked(true)}>
          <Play aria-hidden="true" /> Send a real event…
        </Button>
      </div>
      {sent.fault !== undefined && <p className="faint">{sent.fault}</p>}
      {refused !== undefined && (
        <p className="bad wrap" role="alert">
          {refused}
        </p>
      )}
      {isAsked && sent.payload !== undefined && (
        <Asked
          id={id}
          entry={entry}
          payload={sent.payload}
          last={last}
          onClose={close}
          onRefused={(words) => {
            setRefused(words);
            close();
          }}
        />
      )}
    </div>
  );
}

interface AskedProps {
  id: number;
  entry: GraphAction;
  payload: NonNullable<SentPayload['payload']>;
  last: TrialDone | undefined;
  onClose: () => void;
  onRefused: (words: string) => void;
}

/** Calls the webhook of the story or the draft at its own address. */
function CallQuestion({ id, entry, payload, last, onClose, onRefused }: AskedProps) {
  const { storyId, draftId, saver } = useEditor();
  const [, go] = useLocation();
  const webhook = useWebhook(id).data;
  const calling = useMutation({
    mutationFn: async (verbs: string[]) => {
      await saver.flush();
      return api.webhooks.call({ id, ...callOf(payload, entry, { verbs }) });
    },
    onSuccess: ({ status, body, story_run_guid: guid }) => {
      if (guid === null) return onRefused(`The webhook responded with ${status}: ${body || 'no text'}`);
      say(`Run started. The webhook responded with ${status}.`);
      go(`/runs/${storyId}/${guid}`);
    },
  });
  const { url = null, secret = null, verbs = [] } = webhook ?? {};
  const address = url === null ? '' : secret === null ? url : shortAddress(url, secret);
  return (
    <Question
      title={
        draftId === undefined ? 'Send a real event to the live story?' : 'Send a real event to the draft?'
      }
      about={
        <>
          <bdi>{entry.name}</bdi> is called at{' '}
          {draftId === undefined ? 'its address' : 'the draft’s own address'}, as a client does.
        </>
      }
      button="Start the run"
      isBusy={calling.isPending || webhook === undefined}
      onClose={onClose}
      onYes={() => calling.mutate(verbs)}
    >
      <code className="wrap">{address}</code>
      <Consequences last={last} />
    </Question>
  );
}

/** Starts a run at an action that no client calls. */
function RunQuestion({ id, entry, payload, last, onClose }: AskedProps) {
  const { storyId, draftId, saver } = useEditor();
  const [, go] = useLocation();
  const running = useMutation({
    mutationFn: async () => {
      await saver.flush();
      return api.actions.run({ id, event: { ...payload } });
    },
    onSuccess: ({ story_run_guid: guid }) => {
      say('Run started.');
      go(`/runs/${storyId}/${guid}`);
    },
  });
  return (
    <Question
      title={draftId === undefined ? 'Start a real run of the live story?' : 'Start a real run of the draft?'}
      about={
        <>
          <bdi>{entry.name}</bdi> gets the payload.
        </>
      }
      button="Start the run"
      isBusy={running.isPending}
      onClose={onClose}
      onYes={() => running.mutate()}
    >
      <Consequences last={last} />
    </Question>
  );
}

/** What a real run does, and what the last trial would have sent. */
function Consequences({ last }: { last: TrialDone | undefined }) {
  const { draftId } = useEditor();
  const does = `Requests and mails are really sent, and records are written${
    draftId === undefined ? '.' : ', with the test values of credentials and resources.'
  }`;
  if (last?.kind !== 'story') return <p>{does} Run a trial first to see which.</p>;
  const { mails, records } = last.trial;
  const groups = toSend({
    requests: last.trial.requests.map((each) => ({ ...each, response_from: 'none' })),
  });
  return (
    <>
      <p>{does}</p>
      <p>
        In the last trial: {nounWords(mails.length, 'mail')}, {nounWords(records.length, 'record')},{' '}
        {groups.length === 0 ? 'no requests.' : 'and these requests:'}
      </p>
      <SentList groups={groups} />
    </>
  );
}
