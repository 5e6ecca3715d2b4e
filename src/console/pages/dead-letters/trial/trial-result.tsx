import './trial-result.css';
import type { ReactNode } from 'react';
import type { StoryTrial, TriedAction, TriedRequest } from '../../../../../clients/typescript/api.js';
import { Badge } from '../../../ui/words/badge.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Json } from '../../../ui/json.js';

/** The result of a trial: whether it would pass, its errors, requests and events. */
export function TrialResult({ trial }: { trial: StoryTrial }) {
  const { errors, requests, events, stopped, not_runnable: idle } = trial;
  const passes = errors.length === 0 && stopped === null && idle.length === 0;
  return (
    <div className="stack" role="status">
      <p className="row row-wrap">
        <Badge tone={passes ? 'ok' : 'bad'}>{passes ? 'would succeed' : 'would fail'}</Badge>
        <span className="soft">
          {nounWords(requests.length, 'request')}, {nounWords(events.length, 'event')}; nothing was sent
        </span>
      </p>
      {stopped !== null && <p className="bad wrap">{stopped}</p>}
      {idle.map(({ name, reason }) => (
        <p key={name} className="bad wrap">
          <bdi>{name}</bdi>: {reason}
        </p>
      ))}
      <Steps title="Errors" items={errors}>
        {({ action, error }) => (
          <p className="wrap">
            <strong>{nameOf(action)}</strong> <span className="bad">{error}</span>
          </p>
        )}
      </Steps>
      <Steps title="Requests it would send" items={requests}>
        {(request) => <RequestLine request={request} />}
      </Steps>
      <Steps title="Events" items={events}>
        {({ action, payload }) => (
          <details>
            <summary className="wrap">{nameOf(action)}</summary>
            <Json value={payload} />
          </details>
        )}
      </Steps>
    </div>
  );
}

function Steps<Item>(props: { title: string; items: Item[]; children: (item: Item) => ReactNode }) {
  const { title, items, children } = props;
  if (items.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      <ol>
        {items.map((item, place) => (
          // A trial does not change: the place says all about a step.
          <li key={place} className="trial-step">
            {children(item)}
          </li>
        ))}
      </ol>
    </section>
  );
}

function RequestLine({ request: { action, method, url, headers, body, status } }: { request: TriedRequest }) {
  return (
    <details>
      <summary className="wrap">
        <strong>{nameOf(action)}</strong>{' '}
        <bdi>
          {method} {url}
        </bdi>{' '}
        <span className="faint">{status === 0 ? 'no response' : `status ${status}`}</span>
      </summary>
      <Json value={{ headers, body }} />
    </details>
  );
}

const nameOf = (action: TriedAction | null) => action?.name ?? 'input';
