/** Options of the generator. */
export interface LoadOptions {
  /** The address of the webhook, or of another route. */
  url: string;
  /** POST unless given. */
  method?: string;
  /** Besides those that every call has. */
  headers?: Record<string, string>;
  /** Each has one call open at a time. */
  connections: number;
  calls: number;
  /** JSON text; none for a GET. */
  body?: string;
}

/** Results of the load. */
export interface LoadResult {
  /** By the machine's clock, which is also the stores'. */
  beganAtMs: number;
  /** From the first call to the last response. */
  seconds: number;
  /** How many responses had each status. */
  statuses: Record<number, number>;
  /** Body of the first response that was an error. */
  refusal?: string;
  /** How long each response took. */
  timesMs: number[];
}
