export interface BackoffOptions {
  /** The first wait; each further quick exit doubles it. */
  firstMs: number;
  maxMs: number;
  /** An exit after at least this run time resets the count of quick exits. */
  goodRunMs: number;
  /** A process keeps failing after more than this many quick exits in a row. */
  quickDeaths: number;
}

const DEFAULT_BACKOFF: BackoffOptions = {
  firstMs: 500,
  maxMs: 60_000,
  goodRunMs: 60_000,
  quickDeaths: 6,
};

/** Computes the wait before a process is restarted, and whether the process keeps failing. */
export function createStartBackoff(options: BackoffOptions = DEFAULT_BACKOFF) {
  let deaths = 0;
  return {
    /** Call after each exit; `ranMs` is how long the process ran. Returns the wait in ms. */
    next(ranMs: number): { waitMs: number; keepsFailing: boolean } {
      deaths = ranMs >= options.goodRunMs ? 1 : deaths + 1;
      const waitMs = Math.min(options.firstMs * 2 ** (deaths - 1), options.maxMs);
      return { waitMs, keepsFailing: deaths > options.quickDeaths };
    },
  };
}
