/**
 * Times, in ms, after which a page gives up a call that may take longer than others. The server ends nearly all of them earlier
 * by itself: a page that gave up first would not know how they ended.
 */
export const LONG_CALL = {
  /** Calls that run all tests of a story, such as a publication: these have 90 s. */
  tests: { timeoutMs: 120_000 },
  /** A promotion, or its check, which merges story after story. The command line waits as long. */
  promotion: { timeoutMs: 120_000 },
  /** A sync with a git repository: it works for 90 s, and a command of git may take two minutes more. */
  sync: { timeoutMs: 300_000 },
} as const;
