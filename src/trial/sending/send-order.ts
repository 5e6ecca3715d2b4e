import type { RequestOptions } from '../../agents/face.js';
import type { ResponseHeaders } from '../../platform/headers/header-of.js';

/** A request that a trial wants to have sent. */
export interface SendOrder {
  kind: 'send';
  /** The team whose credentials it may hold. */
  teamId: number;
  /** The rendered options of the action, with the trial's references in place of secrets. */
  options: RequestOptions;
  idempotencyKey: string;
}

/** A question of a trial to the web process, while it runs in a thread: to send a request, or for a story that it calls. */
export type TrialQuestion = SendOrder | { kind: 'story'; storyId: number };

/** The outcome of a request, without secrets. */
export type SentAnswer =
  | {
      kind: 'response';
      status: number;
      /** JSON of the event that an action makes of it. */
      event: string;
      headers: ResponseHeaders;
      note?: string | undefined;
    }
  /** `isSent` is false if the request has not left the server. */
  | { kind: 'none'; reason: string; isSent: boolean; forbidden: boolean }
  /** The action fails with this message. */
  | { kind: 'error'; message: string; isPermanent: boolean };
