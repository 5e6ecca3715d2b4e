import '../../../ui/card.css';
import { useQueryClient } from '@tanstack/react-query';
import { useMutation } from '../../../api/use-mutation.js';
import { useState } from 'react';
import { Link } from 'wouter';
import type { DeadLetter } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { ofKind } from '../../../api/keys.js';
import { useKeptText } from '../../../api/use-kept-text.js';
import { useMay } from '../../../api/signed-in.js';
import { useKeys } from '../../../keys/use-keys.js';
import { Json } from '../../../ui/json.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { say } from '../../../ui/overlay/toasts.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Tabs } from '../../../ui/tabs.js';
import { countWords, nounWords } from '../../../ui/words/figures.js';
import { Time } from '../../../ui/words/time.js';
import { exchangeOf, ExchangeView } from '../../run/exchange/exchange-view.js';
import { useFailedEvent, useLetterAttempts } from '../letters-data.js';
import { dropBody, DropReason } from '../retry/drop-reason.js';
import { TrialTab } from '../trial/trial-tab.js';
import { shortGuid } from '../../runs/run-words.js';

interface LetterPanelProps {
  letter: DeadLetter;
  /** It stays the same from one letter to the next. */
  tab: string;
  onTab: (tab: string) => void;
  isBusy: boolean;
  onRetry: () => void;
}

/** One letter: why it failed, what it sent and got, its event, and a trial of it that sends nothing. */
export function LetterPanel({ letter, tab, onTab, isBusy, onRetry }: LetterPanelProps) {
  const mayWork = useMay('write', letter.team_id);
  // Another letter may come in its place while the person writes.
  const [dropped, setDropped] = useState<DeadLetter>();
  const drop = () => setDropped(letter);
  useKeys('page', { d: () => mayWork && !isBusy && drop() });
  const { id, story_id: story, story_run_guid: run, attempts, retries, failed_at: at, error, cause } = letter;
  return (
    <section className="card letter-panel" aria-label={`Dead letter ${id}`}>
      <header className="letter-head">
        <h2 className="wrap grow" title={error ?? undefined}>
          {cause || error || 'No error message'}
        </h2>
        {mayWork && (
          <div className="row">
            <Button look="danger" disabled={isBusy} onClick={drop}>
              Drop…
            </Button>
            <Button look="main" disabled={isBusy} onClick={onRetry}>
              Retry
            </Button>
          </div>
        )}
        <p className="faint letter-facts">
          <Time at={at} prefix="failed " /> · {nounWords(attempts, 'attempt')}
          {retries > 0 && ` · retried ${countWords(retries)} ${retries === 1 ? 'time' : 'times'} before`} ·{' '}
          <Link href={`/runs/${story}/${run}`}>run {shortGuid(run)}</Link>
        </p>
      </header>
      <Tabs
        label="Details of this dead letter"
        chosen={tab}
        onChoose={onTab}
        tabs={[
          { key: 'request', name: 'Request and response', content: () => <LetterExchange letter={letter} /> },
          { key: 'event', name: 'Event', content: () => <EventTab eventId={letter.event_id} /> },
          { key: 'trial', name: 'Trial', content: () => <TrialTab key={id} letter={letter} /> },
        ]}
      />
      {dropped !== undefined && (
        <DropDialog key={dropped.id} letter={dropped} onClose={() => setDropped(undefined)} />
      )}
    </section>
  );
}

function DropDialog({ letter: { id }, onClose }: { letter: DeadLetter; onClose: () => void }) {
  const client = useQueryClient();
  const [reason, setReason, forget] = useKeptText(`dead-letter.${id}.drop`);
  const leave = () => {
    forget();
    onClose();
  };
  const dropping = useMutation({
    mutationFn: () => api.deadLetters.delete({ id, ...dropBody(reason) }),
    onSuccess: () => {
      say('Dead letter dropped.');
      leave();
    },
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('dead-letters') }),
  });
  return (
    <Dialog
      title={`Drop dead letter ${id}?`}
      isTyped={reason !== ''}
      about="Its event will not be processed. This cannot be undone."
      onClose={leave}
    >
      <DropReason reason={reason} onReason={setReason} />
      <footer className="dialog-foot">
        <Button onClick={leave}>Cancel</Button>
        <Button look="danger" disabled={dropping.isPending} onClick={() => dropping.mutate()}>
          Drop
        </Button>
      </footer>
    </Dialog>
  );
}

function EventTab({ eventId }: { eventId: number | null }) {
  const event = useFailedEvent(eventId);
  if (eventId === null)
    return <Nothing title="The action was the first of its run, so there was no event." />;
  return <Answer of={event}>{({ payload }) => <Json value={payload} />}</Answer>;
}

/** What the attempts of a letter sent and got. */
function LetterExchange({ letter }: { letter: DeadLetter }) {
  return (
    <Answer of={useLetterAttempts(letter)}>
      {(attempts) =>
        attempts.some(({ request }) => request !== null) ? (
          <ExchangeView exchanges={attempts.map(exchangeOf)} />
        ) : (
          <Nothing title="No HTTP request was recorded for this dead letter.">
            <p>Its attempts sent none, or their log lines were deleted.</p>
          </Nothing>
        )
      }
    </Answer>
  );
}
