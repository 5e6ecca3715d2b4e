/** What an action that was told to stop may still take to do so. */
const GRACE_MS = 5_000;

/**
 * What `work` comes to; an action that goes on although it was told to stop is no longer waited for, so that it cannot
 * hold its slot for ever. It writes nothing by itself (rule 10): what it still comes to is dropped.
 * @throws what `work` throws; the signal's reason when nothing came in time.
 */
export async function heedSignal<T>(
  work: Promise<T>,
  signal: AbortSignal,
  graceMs: number = GRACE_MS,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort: (() => void) | undefined;
  const abandoned = new Promise<never>((_resolve, reject) => {
    onAbort = () => {
      timer = setTimeout(() => reject(signal.reason as Error), graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, abandoned]);
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal.removeEventListener('abort', onAbort);
  }
}
