import './dead-letters.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeadLetter } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { useMay } from '../../api/signed-in.js';
import { ofKind } from '../../api/keys.js';
import { useMutation } from '../../api/use-mutation.js';
import { Button } from '../../ui/form/button.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { nounWords } from '../../ui/words/figures.js';
import { Json } from '../../ui/json.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { Time } from '../../ui/words/time.js';
import { say } from '../../ui/overlay/toasts.js';
import { SentRequestView } from '../run/panel/sent-request-view.js';
import { useFailedEvent, useLetterRequest } from './letters-data.js';
import { dropBody, DropReason } from './retry/drop-reason.js';
import { TrialTab } from './trial/trial-tab.js';

/** One letter: its error and event, and a trial of it that sends nothing. */
export function LetterDialog({ letter, onClose }: { letter: DeadLetter; onClose: () => void }) {
  const client = useQueryClient();
  const mayWork = useMay('write', letter.team_id);
  const [tab, setTab] = useState('event');
  const [reason, setReason] = useState<string>();
  const doing = useMutation({
    mutationFn: ({ work }: { work: () => Promise<unknown>; did: string }) => work(),
    onSuccess: (_response, { did }) => {
      say(did);
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('dead-letters') }),
  });
  const { id, story_id: story, story_run_guid: run, attempts, failed_at: at, error } = letter;
  const drop = {
    work: () => api.deadLetters.delete({ id, ...dropBody(reason ?? '') }),
    did: 'Dead letter dropped.',
  };
  const retry = { work: () => api.deadLetters.retry({ id }), did: 'Retry started.' };
  return (
    <Dialog title={error ?? 'No error message'} wide onClose={onClose}>
      <div className="dialog-body stack">
        <p className="faint letter-facts">
          <Time at={at} prefix="failed " /> · {nounWords(attempts, 'attempt')} ·{' '}
          <Link href={`/runs/${story}/${run}`}>run {run.slice(-8)}</Link>
        </p>
        <Tabs
          label="Details of this dead letter"
          chosen={tab}
          onChoose={setTab}
          tabs={[
            { key: 'event', name: 'Event', content: () => <EventTab eventId={letter.event_id} /> },
            { key: 'request', name: 'Request', content: () => <LetterRequest letter={letter} /> },
            { key: 'trial', name: 'Trial', content: () => <TrialTab letter={letter} /> },
          ]}
        />
      </div>
      {mayWork && reason !== undefined && <DropReason reason={reason} onReason={setReason} />}
      {mayWork && (
        <footer className="dialog-foot">
          {reason === undefined ? (
            <>
              <Button look="danger" disabled={doing.isPending} onClick={() => setReason('')}>
                Drop…
              </Button>
              <Button look="main" disabled={doing.isPending} onClick={() => doing.mutate(retry)}>
                Retry
              </Button>
            </>
          ) : (
            <>
              <Button onClick={() => setReason(undefined)}>Cancel</Button>
              <Button look="danger" disabled={doing.isPending} onClick={() => doing.mutate(drop)}>
                Drop
              </Button>
            </>
          )}
        </footer>
      )}
    </Dialog>
  );
}

function EventTab({ eventId }: { eventId: number | null }) {
  const event = useFailedEvent(eventId);
  if (eventId === null)
    return <Nothing title="The action was the first of its run, so there was no event." />;
  return <Answer of={event}>{({ payload }) => <Json value={payload} />}</Answer>;
}

/** The request that the last attempt of a letter sent. */
function LetterRequest({ letter }: { letter: DeadLetter }) {
  return (
    <Answer of={useLetterRequest(letter)}>
      {({ sent_request: sent }) =>
        sent === null ? (
          <Nothing title="No HTTP request was recorded for this dead letter.">
            <p>The last attempt sent none, or its log line was deleted.</p>
          </Nothing>
        ) : (
          <SentRequestView request={sent} />
        )
      }
    </Answer>
  );
}
