import type { KeptResponse, SentRequest } from '../../engine/face.js';

/** How attempts ended. `continued`: the action logged an error, and did not fail of it. */
export const ATTEMPT_OUTCOMES = ['retried', 'failed', 'continued'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** A failed attempt of a delivery, without what it sent and received. */
export interface FailedAttempt {
  /** That of its line in the log of the action. */
  id: number;
  deliveryId: number;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  /** Null: the action was the first of the run, or retention has deleted the event. */
  eventId: number | null;
  /** From 1; a retry by hand begins again. Null if the action did not fail. */
  number: number | null;
  outcome: AttemptOutcome;
  failedAt: Date;
  /** Null: not known. */
  workMs: number | null;
  /** The status of the last response; 0: there was none; null: nothing was sent. */
  status: number | null;
  cause: string | null;
  error: string;
}

/** A failed attempt with what it sent and received last. */
export interface AttemptWithExchange extends FailedAttempt {
  request: SentRequest | undefined;
  response: KeptResponse | undefined;
}

/** Selects attempts of a run. */
export interface AttemptFilter {
  guid: string;
  agentId?: number | undefined;
  /** The event that was processed. */
  eventId?: number | undefined;
  deliveryId?: number | undefined;
}
