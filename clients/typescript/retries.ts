import { FabulaConnectionError, FabulaError, FabulaTimeoutError } from './errors.js';

/** A server that asks for a longer wait is not waited for. */
const LONGEST_PAUSE_SECONDS = 60;
const FIRST_PAUSE_MS = 500;

/**
 * Returns the milliseconds to wait before a request is sent again; undefined if it is not. 429 with `Retry-After`
 * says that nothing was done. Another failure leaves that open, so only what is repeatable is sent again.
 */
export function pauseBefore(error: unknown, isRepeatable: boolean, retries: number): number | undefined {
  const pause = FIRST_PAUSE_MS * 2 ** Math.min(retries, 5) * (0.5 + Math.random() / 2);
  if (error instanceof FabulaTimeoutError) return undefined;
  if (error instanceof FabulaConnectionError) return isRepeatable ? pause : undefined;
  if (!(error instanceof FabulaError)) return undefined;
  const { status, retryAfterSeconds: wait } = error;
  if (status !== 429 && status !== 503) return undefined;
  if (!isRepeatable && (status === 503 || wait === undefined)) return undefined;
  if (wait === undefined) return pause;
  return wait <= LONGEST_PAUSE_SECONDS ? Math.max(wait, 0) * 1000 : undefined;
}

/** Waits. @throws the reason of the signal when it ends the wait. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}
