import { useState } from 'react';
import type { Attempt, SentRequest } from '../../../../../clients/typescript/api.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { Answer, Failed, Loading } from '../../../ui/states.js';
import { RenderedOptions } from '../panel/rendered-options.js';
import type { StepPlace } from '../panel/step-place.js';
import { useAttempts, useEvent, useEventRequest } from '../run-data.js';
import { attemptName, type Exchange, exchangeOf, ExchangeView } from './exchange-view.js';

/** The requests that the action really sent in this step, each with its response; those of failed attempts, too. */
export function RequestTab(place: StepPlace) {
  return place.isArchived ? <ArchivedAttempts step={place.step} /> : <KeptExchanges {...place} />;
}

/** The archive keeps that attempts failed and why, not what they sent and received. */
function ArchivedAttempts({ step: { attempts } }: Pick<StepPlace, 'step'>) {
  return (
    <div className="stack tab-space">
      <p className="soft">This run is read from the archive, which does not keep requests and responses.</p>
      {attempts.length > 0 && (
        <ol className="stack" aria-label="Attempts">
          {attempts.map(({ id, number, status, cause, error }) => (
            <li key={id} className="wrap">
              {attemptName(number, status)}: <bdi className="bad">{cause || error}</bdi>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}

function KeptExchanges(place: StepPlace) {
  const { step, storyId, guid } = place;
  const eventId = step.event?.id;
  const sent = useEventRequest(eventId);
  const attempts = useAttempts({ storyId, guid, step });
  if (attempts.data !== undefined && (eventId === undefined || sent.data !== undefined)) {
    return <Exchanges place={place} attempts={attempts.data} sent={sent.data?.sent_request ?? null} />;
  }
  const failed = attempts.error ? attempts : sent.error ? sent : undefined;
  return failed ? <Failed error={failed.error} retry={failed.refetch} /> : <Loading />;
}

interface ExchangesProps {
  place: StepPlace;
  attempts: readonly Attempt[];
  /** The request that the event of the step came of. */
  sent: SentRequest | null;
}

function Exchanges({ place, attempts, sent }: ExchangesProps) {
  const exchanges = exchangesOf(place, attempts, sent);
  if (!exchanges.some(({ request }) => request !== null)) {
    return (
      <>
        {exchanges.length > 1 && (
          <div className="tab-space">
            <ExchangeView exchanges={exchanges} />
          </div>
        )}
        <RenderedOptions {...place} reason="No request was recorded for this step. This one is rendered" />
      </>
    );
  }
  return (
    <div className="stack tab-space">
      <ExchangeView exchanges={exchanges} />
      <MadeAnew {...place} />
    </div>
  );
}

/** The event of a step has the last exchange, also of an attempt that went on with an error. */
function exchangesOf(
  { step }: StepPlace,
  attempts: readonly Attempt[],
  sent: SentRequest | null,
): Exchange[] {
  const failed = attempts.map(exchangeOf);
  if (sent === null || step.event === undefined) return failed;
  const ofEvent = { request: sent, response: <Output eventId={step.event.id} /> };
  const last = attempts.at(-1);
  const isNamed = last?.outcome === 'continued' || last?.request?.sent_at === sent.sent_at;
  if (!isNamed) return [...failed, { key: 'event', name: 'Succeeded', ...ofEvent }];
  return failed.map((each, at) => (at === failed.length - 1 ? { ...each, ...ofEvent } : each));
}

/** The output of an HTTP action is the response that it got. */
function Output({ eventId }: { eventId: number }) {
  const event = useEvent(eventId, 'own');
  return (
    <section className="stack part" aria-label="Response">
      <h3>Response</h3>
      <Answer of={event}>
        {({ payload, incomplete }) => (
          <>
            {incomplete && <p className="faint">The payload was deleted or is too large to display.</p>}
            <JsonView value={payload} label="Response" />
          </>
        )}
      </Answer>
    </section>
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
