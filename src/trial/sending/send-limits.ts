/** The most that one trial sends. It sends one request at a time. */
const MOST_REQUESTS = 50;
/** Characters of the options of one request, as JSON: its body is written on the event loop of the web process. */
const MOST_OPTION_CHARACTERS = 512 * 1024;
/** Size of all responses together. */
const MOST_RESPONSE_BYTES = 16 * 1024 * 1024;
/** Ms that a trial waits for one response, and for all of them. */
const MOST_MS = { ofOne: 20_000, ofAll: 60_000 };

/** Says which limit a request met. */
export const SPENT = {
  requests: `a trial sends at most ${MOST_REQUESTS} requests`,
  options: `a trial sends no request with options of more than ${MOST_OPTION_CHARACTERS} characters`,
  bytes: `a trial accepts responses of at most ${MOST_RESPONSE_BYTES / 1024 / 1024} MiB`,
  waiting: `a trial waits at most ${MOST_MS.ofAll / 1000} s for responses`,
  together: 'a trial sends one request at a time',
  /** For a request that got less time than it asked for. */
  time: (ms: number) => `(this trial waited ${Math.round(ms / 100) / 10} s for it)`,
};

export type SendLimits = ReturnType<typeof createSendLimits>;

/** Counts what one trial sends. */
export function createSendLimits() {
  let requests = 0;
  let bytes = 0;
  let waitedMs = 0;
  let isSending = false;
  const leftMs = () => MOST_MS.ofAll - waitedMs;

  return {
    /** Returns why another request, with options of this many characters, is not sent; undefined: it may be. */
    refusalOf(optionCharacters: number): string | undefined {
      if (isSending) return SPENT.together;
      if (requests >= MOST_REQUESTS) return SPENT.requests;
      if (leftMs() <= 0) return SPENT.waiting;
      return optionCharacters > MOST_OPTION_CHARACTERS ? SPENT.options : undefined;
    },

    /** Counts a request, and the time of `work`. */
    async counting<Result>(work: () => Promise<Result>): Promise<Result> {
      requests += 1;
      isSending = true;
      const began = performance.now();
      try {
        return await work();
      } finally {
        isSending = false;
        waitedMs += performance.now() - began;
      }
    },

    /** Returns the ms that passed with sending. */
    waitedMs: (): number => waitedMs,

    /** Returns the ms that a request may take now. */
    requestMs: (): number => Math.max(1, Math.min(MOST_MS.ofOne, leftMs())),

    /** Counts the bytes of a response; returns the reason if they are too many. */
    takeBytes(more: number): string | undefined {
      bytes += more;
      return bytes > MOST_RESPONSE_BYTES ? SPENT.bytes : undefined;
    },
  };
}
