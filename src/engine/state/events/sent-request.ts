/** An HTTP request as it is kept with the event that came of it, or with the log of the attempt that failed (notes/runs.md, Sent requests). */
export interface SentRequest {
  /** By the worker's clock. */
  sent_at: string;
  method: string;
  url: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The beginning of its text; null: it had none, or it was left out. */
  body: string | null;
  /** The size of the whole body, with markers in place of secrets; null: it is not told. */
  body_bytes: number | null;
  /** The reason why there is no text of a body; `large`: it may hold secrets and was too large to be looked through. */
  body_left_out: 'binary' | 'large' | null;
  /** Parts that were truncated. */
  truncated: ('url' | 'headers' | 'body')[];
}
