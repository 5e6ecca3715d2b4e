export interface BackoffOptions {
  /** The first wait; each further quick death doubles it. */
  firstMs: number;
  maxMs: number;
  /** A run that lasted this long was a good one: counting starts again. */
  goodRunMs: number;
  /** After this many quick deaths in a row there is no further try. */
  quickDeaths: number;
}

export const DEFAULT_BACKOFF: BackoffOptions = {
  firstMs: 500,
  maxMs: 15_000,
  goodRunMs: 60_000,
  quickDeaths: 6,
};

/**
 * How long to wait before something that died is started again. `next(ranMs)` gives the wait in
 * milliseconds, or undefined when it died quickly too often.
 */
export function createBackoff(options: BackoffOptions = DEFAULT_BACKOFF) {
  let deaths = 0;
  return {
    next(ranMs: number): number | undefined {
      deaths = ranMs >= options.goodRunMs ? 1 : deaths + 1;
      if (deaths > options.quickDeaths) return undefined;
      return Math.min(options.firstMs * 2 ** (deaths - 1), options.maxMs);
    },
  };
}
