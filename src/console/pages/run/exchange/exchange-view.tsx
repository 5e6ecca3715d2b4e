import './exchange.css';
import { type ReactNode, useState } from 'react';
import type { Attempt, SentRequest } from '../../../../../clients/typescript/api.js';
import { Button } from '../../../ui/form/button.js';
import { statusWords } from '../timeline/segments.js';
import { ResponseView } from './response-view.js';
import { SentRequestView } from './sent-request-view.js';

/** One try of an action: what it sent, and what came of it. */
export interface Exchange {
  key: string;
  /** Tells it from the others: `Attempt 2 · 500`. */
  name: string;
  /** Why it failed; absent: it did not. */
  cause?: string;
  /** null: it sent none. */
  request: SentRequest | null;
  /** What came back. */
  response: ReactNode;
}

/** Returns what tells an attempt from the others of its step: `Attempt 2 · 500`. */
export function attemptName(number: number | null, status: number | null): string {
  const name = number === null ? 'With errors' : `Attempt ${number}`;
  return status === null ? name : `${name} · ${statusWords(status)}`;
}

/** Returns an attempt as an exchange. */
export function exchangeOf(attempt: Attempt): Exchange {
  const { id, number, status, cause, error, request, response } = attempt;
  return {
    key: String(id),
    name: attemptName(number, status),
    cause: cause || error,
    request,
    response: response === null ? <NoResponse attempt={attempt} /> : <ResponseView response={response} />,
  };
}

/** The attempts of a step, the last one first chosen: its request and its response, side by side where there is room. */
export function ExchangeView({ exchanges }: { exchanges: readonly Exchange[] }) {
  const [key, choose] = useState<string>();
  const chosen = exchanges.find((each) => each.key === key) ?? exchanges.at(-1);
  if (chosen === undefined) return null;
  const { request, response, cause } = chosen;
  return (
    <div className="exchanges">
      {exchanges.length > 1 && (
        <>
          <div className="attempt-list" role="group" aria-label="Attempts">
            {exchanges.map((each) => (
              <Button
                key={each.key}
                look="quiet"
                aria-pressed={each.key === chosen.key}
                onClick={() => choose(each.key)}
              >
                {each.name}
              </Button>
            ))}
          </div>
          {cause !== undefined && cause !== exchanges.at(-1)?.cause && (
            <p className="bad wrap">
              <bdi>{cause}</bdi>
            </p>
          )}
        </>
      )}
      {request === null ? (
        <p className="soft">This attempt sent no request.</p>
      ) : (
        <div className="exchange">
          <SentRequestView request={request} />
          {response}
        </div>
      )}
    </div>
  );
}

function NoResponse({ attempt: { status, error } }: { attempt: Attempt }) {
  const words =
    status === null || status === 0
      ? 'No response was received.'
      : `The response with status ${status} was not kept.`;
  return (
    <section className="stack part" aria-label="Response">
      <h3>Response</h3>
      <p className="wrap">
        {words} <bdi className="soft">{error}</bdi>
      </p>
    </section>
  );
}
