/** How the user asks for the end: first politely, then in a hurry. */
export interface StopRequest {
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. */
  asked: AbortSignal;
  /** Aborted by a second one. */
  hurried: AbortSignal;
}

/** Ctrl-C under npm comes twice at once: from the terminal, and handed on by npm. */
const SAME_REQUEST_MS = 1_000;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens for the signals that stop a process. `onAsked` is called once. */
export function listenForStop(onAsked: () => void): StopRequest & { release: () => void } {
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
  return {
    asked: asked.signal,
    hurried: hurried.signal,
    release() {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
