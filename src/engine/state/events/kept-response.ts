/** The response of a failed attempt as it is kept, without secrets (notes/runs.md, Failed attempts). */
export interface KeptResponse {
  /** By the worker's clock. */
  received_at: string;
  /** From the first byte sent to the last one received, redirects included. */
  duration_ms: number;
  status: number;
  /** Names in lower case; values of a repeated name are joined by `, `. */
  headers: Record<string, string>;
  /** The beginning of its text; null: it had none, or it was left out. */
  body: string | null;
  /** The size of the whole body, with markers in place of secrets; null: it is not told. */
  body_bytes: number | null;
  /** The reason why there is no text of a body; `large`: it may hold secrets and was too large to be looked through. */
  body_left_out: 'binary' | 'large' | null;
  /** Parts that were truncated. */
  truncated: ('headers' | 'body')[];
}
