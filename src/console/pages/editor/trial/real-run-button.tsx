import { useMutation } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { entryOf, isWebhook } from '../../../story-model/entry.js';
import { Button } from '../../../ui/form/button.js';
import { Question } from '../../../ui/overlay/question.js';
import { say } from '../../../ui/overlay/toasts.js';
import { nounWords } from '../../../ui/words/figures.js';
import { useEdited, useEditor } from '../editor-context.js';
import { useSavedEvent } from '../sample/saved-payloads.js';
import { useShownSample } from '../sample/shown-sample.js';
import { SentList } from './sent-list.js';
import { toSend } from './trial-request.js';
import type { TrialDone } from './trial-store.js';
import { slugOf } from '../../../text/action-slug.js';

/** Starts a real run with the written payload, once it is said what that does. */
export function RealRunButton({ last }: { last: TrialDone | undefined }) {
  const { storyId, draftId, saver } = useEditor();
  const [, go] = useLocation();
  const [isAsked, setAsked] = useState(false);
  const entry = useEdited(({ draft }) => entryOf(draft));
  const saved = useSavedEvent(useShownSample());
  const running = useMutation({
    mutationFn: async (id: number) => {
      await saver.flush();
      const payload = entry !== undefined && isWebhook(entry) ? saved?.[slugOf(entry.name)] : saved;
      return api.actions.run({ id, event: { ...(payload as object) } });
    },
    onSuccess: ({ story_run_guid: guid }) => {
      say('Run started.');
      go(`/runs/${storyId}/${guid}`);
    },
  });
  const id = entry?.id ?? undefined;
  if (saved === undefined || entry === undefined || id === undefined) return null;
  return (
    <div>
      <Button onClick={() => setAsked(true)}>
        <Play aria-hidden="true" /> Send a real event…
      </Button>
      {isAsked && (
        <Question
          title={
            draftId === undefined ? 'Start a real run of the live story?' : 'Start a real run of the draft?'
          }
          about={
            <>
              <bdi>{entry.name}</bdi> gets the payload. Requests and mails really leave, and records are
              written
              {draftId === undefined ? '.' : ', with the test values of credentials and resources.'}
              <LastTrial last={last} />
            </>
          }
          button="Start the run"
          isBusy={running.isPending}
          onClose={() => setAsked(false)}
          onYes={() => running.mutate(id)}
        />
      )}
    </div>
  );
}

/** What the last trial would have sent. */
function LastTrial({ last }: { last: TrialDone | undefined }) {
  if (last?.kind !== 'story') return ' Run a trial first to see which.';
  const { mails, records } = last.trial;
  const groups = toSend({
    requests: last.trial.requests.map((each) => ({ ...each, response_from: 'none' })),
  });
  return (
    <>
      <span style={{ display: 'block' }}>
        In the last trial: {nounWords(mails.length, 'mail')}, {nounWords(records.length, 'record')},{' '}
        {groups.length === 0 ? 'no requests.' : 'and these requests.'}
      </span>
      <SentList groups={groups} />
    </>
  );
}
