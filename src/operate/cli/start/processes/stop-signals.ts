/** The stop requests of the user: the first for an orderly stop, the second for a fast one. */
export interface StopRequest {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  asked: AbortSignal;
  /** Aborted by a second signal. */
  hurried: AbortSignal;
}

/** Under npm, one Ctrl-C sends two signals at once: from the terminal, and forwarded by npm. */
const SAME_REQUEST_MS = 1_000;
const PARENT_POLL_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Listens for the signals that stop a process, and calls `onAsked` once. With `withParent`, the exit of the
 * parent process counts as a signal: npm and its shell may exit on a signal without forwarding it.
 */
export function listenForStop(
  onAsked: () => void,
  options: { withParent: boolean },
): StopRequest & { release: () => void } {
  const asked = new AbortController();
  const hurried = new AbortController();
  let askedAt = 0;
  const listener = (): void => {
    if (asked.signal.aborted) {
      if (Date.now() - askedAt > SAME_REQUEST_MS) hurried.abort();
      return;
    }
    askedAt = Date.now();
    asked.abort();
    onAsked();
  };
  for (const name of SIGNALS) process.on(name, listener);
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (!options.withParent || process.ppid === parent) return;
    clearInterval(watch);
    listener();
  }, PARENT_POLL_MS).unref();
  return {
    asked: asked.signal,
    hurried: hurried.signal,
    release() {
      clearInterval(watch);
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
