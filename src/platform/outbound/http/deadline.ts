/** The end of a request: its timeout, or its caller's abort. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Rejects at the deadline. */
  readonly passed: Promise<never>;
  timedOut(): boolean;
  /** The caller aborted the request. */
  interrupted(): boolean;
  /** Must be called when the request is done. */
  clear(): void;
}

/** Creates a deadline in `timeoutMs`, or when `outer` aborts, whichever is first. */
export function createDeadline(timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let cause: 'time' | 'outer' | undefined;
  let refuse: ((reason: Error) => void) | undefined;
  const passed = new Promise<never>((_, reject) => {
    refuse = reject;
  });
  const end = (why: 'time' | 'outer') => {
    cause ??= why;
    controller.abort();
    refuse?.(controller.signal.reason as Error);
  };
  const onOuter = () => end('outer');
  const timer = setTimeout(() => end('time'), timeoutMs);
  if (outer?.aborted) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  return {
    signal: controller.signal,
    passed,
    timedOut: () => cause === 'time',
    interrupted: () => cause === 'outer',
    clear() {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}
