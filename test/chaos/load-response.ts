/** No connection came about: the server cannot know of the call. */
export const NEVER_SENT = -1;
/** The connection broke, the response did not come in time, or it was 504, "not known": the run may exist, once. */
export const UNANSWERED = 0;

/** The result of one webhook call. */
export interface LoadResponse {
  number: number;
  /** The HTTP status, or one of the above. */
  status: number;
  /** The run's guid as the server named it. */
  guid: string | undefined;
  /** When it was answered, in ms since 1970, and how long that took. */
  answeredAtMs: number;
  tookMs: number;
  /** Whether the response said when to come again. */
  saysWhen: boolean;
}

/** The last word of the generator. */
export interface Farewell {
  calls: number;
  /** Calls that were due while too many were open. */
  heldBack: number;
  /** From the first call to the last. */
  seconds: number;
}
