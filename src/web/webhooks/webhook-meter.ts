import { AppError } from '../../platform/errors.js';
import { ClientGone } from '../../platform/http/body/body-reader.js';

/** Why a webhook request was not accepted, for counting. */
type WebhookRefusal =
  | 'unauthorized'
  | 'not_found'
  | 'limited'
  | 'bad_request'
  | 'unavailable'
  | 'unknown'
  | 'failed'
  | 'gone';

/** Counts webhook requests; each once. */
export interface WebhookMeter {
  /** Its run is stored or spooled, which took `storeMs`. */
  accepted(outcome: 'stored' | 'spooled', storeMs: number): void;
  refused(outcome: WebhookRefusal): void;
}

/** Counts the outcome of one request: the first counts, as a response may fail after the run was stored. */
export interface RequestTally {
  accepted(outcome: 'stored' | 'spooled', storeMs: number): void;
  refused(error: unknown): void;
}

/** Returns the tally of one request; without a meter nothing is counted. */
export function tallyOf(meter: WebhookMeter | undefined): RequestTally {
  if (meter === undefined) return NO_TALLY;
  let counted = false;
  return {
    accepted(outcome, storeMs) {
      counted = true;
      meter.accepted(outcome, storeMs);
    },
    refused(error) {
      if (!counted) meter.refused(refusalOf(error));
    },
  };
}

const NO_TALLY: RequestTally = { accepted: () => undefined, refused: () => undefined };

const BY_STATUS: Readonly<Record<number, WebhookRefusal>> = {
  401: 'unauthorized',
  404: 'not_found',
  429: 'limited',
  503: 'unavailable',
  504: 'unknown',
  508: 'limited',
};

function refusalOf(error: unknown): WebhookRefusal {
  if (error instanceof ClientGone) return 'gone';
  if (!(error instanceof AppError)) return 'failed';
  return BY_STATUS[error.status] ?? (error.status < 500 ? 'bad_request' : 'failed');
}
