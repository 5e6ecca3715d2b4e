export interface BackoffOptions {
  /** The first wait; each further quick death doubles it. */
  firstMs: number;
  maxMs: number;
  /** A run that lasted this long was a good one: counting starts again. */
  goodRunMs: number;
  /** After this many quick deaths in a row something keeps failing. */
  quickDeaths: number;
}

export const DEFAULT_BACKOFF: BackoffOptions = {
  firstMs: 500,
  maxMs: 60_000,
  goodRunMs: 60_000,
  quickDeaths: 6,
};

/** How long to wait before something that died is started again, and whether it keeps failing. */
export function createBackoff(options: BackoffOptions = DEFAULT_BACKOFF) {
  let deaths = 0;
  return {
    /** In ms. */
    next(ranMs: number): { waitMs: number; keepsFailing: boolean } {
      deaths = ranMs >= options.goodRunMs ? 1 : deaths + 1;
      const waitMs = Math.min(options.firstMs * 2 ** (deaths - 1), options.maxMs);
      return { waitMs, keepsFailing: deaths > options.quickDeaths };
    },
  };
}
