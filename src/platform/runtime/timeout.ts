/** If a timer fires later than this multiple of its time, this process was stalled, so its timeout says nothing. */
const HELD_UP = 1.2;
const MORE_WAITS = 3;
/** After this multiple of the limit, `onSilence` has fired, unless the process is stalled permanently. */
export const LONGEST_SILENCE = MORE_WAITS + 3;

/**
 * Calls `then` after `limitMs`, unless cancelled by the returned function. A process that was stalled must not take that
 * for silence of the other side: it waits again, a few times, and handles input received meanwhile first.
 */
export function onSilence(limitMs: number, then: () => void): () => void {
  let timer: NodeJS.Timeout;
  let over = false;
  const wait = (waitsLeft: number) => {
    const began = performance.now();
    timer = setTimeout(() => {
      const heldUp = performance.now() - began > limitMs * HELD_UP;
      if (heldUp && waitsLeft > 0) wait(waitsLeft - 1);
      else afterWhatHasCome(() => over || then());
    }, limitMs);
  };
  wait(MORE_WAITS);
  return () => {
    over = true;
    clearTimeout(timer);
  };
}

/** Returns what `work` returns. @throws Error without a result within `limitMs` (see `onSilence`); `work` itself continues. */
export async function withTimeout<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let callOff: (() => void) | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    callOff = onSilence(limitMs, () => reject(new Error(`no response within ${limitMs} ms`)));
  });
  try {
    return await Promise.race([work, silence]);
  } finally {
    callOff?.();
  }
}

function afterWhatHasCome(then: () => void): void {
  setImmediate(() => setImmediate(() => setImmediate(then)));
}
