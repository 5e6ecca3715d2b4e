/** The longest that a timer can take. */
const LONGEST_MS = 2 ** 31 - 1;

/**
 * Ends a request and the reading of its response. `fetch` alone does not end a body that stalls: Node 20 and 22 forget the
 * signal of a request once its headers are there.
 */
export interface Limit {
  /** For `fetch`. */
  signal: AbortSignal;
  /** Waits for a part of the response. @throws the reason of the caller's signal, or that the time is over. */
  wait<T>(work: Promise<T>): Promise<T>;
  /** Whether the time was over. */
  isOver(): boolean;
  /** Stops the time, and forgets the caller's signal. */
  end(): void;
}

/**
 * Returns the limit of a request, which begins at once. `totalMs`: for all of it; `eachMs`: for each wait, so that a caller
 * may take its time in between.
 */
export function createLimit(
  caller: AbortSignal | undefined,
  time: { totalMs: number } | { eachMs: number },
): Limit {
  const controller = new AbortController();
  let isOver = false;
  const expire = () => {
    isOver = true;
    controller.abort(new DOMException('The time is over', 'TimeoutError'));
  };
  const stop = () => controller.abort(caller?.reason);
  const timer = 'totalMs' in time ? start(expire, time.totalMs) : undefined;
  if (caller?.aborted) stop();
  else caller?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    async wait(work) {
      const each = 'eachMs' in time ? start(expire, time.eachMs) : undefined;
      try {
        return await unless(controller.signal, work);
      } finally {
        clearTimeout(each);
      }
    },
    isOver: () => isOver,
    end() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', stop);
    },
  };
}

function start(expire: () => void, ms: number) {
  return setTimeout(expire, Math.min(ms, LONGEST_MS));
}

/** Returns the result of the work. @throws the reason of the signal if that comes first. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    const forget = () => signal.removeEventListener('abort', abort);
    work.then(resolve, reject).finally(forget);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
