/** A timer later than this share says that the process itself was held up: its time-out means nothing. */
const HELD_UP = 1.2;
const MORE_WAITS = 3;
/** Beyond so many times the limit `onSilence` has judged, but in a process that is held up without end. */
export const LONGEST_SILENCE = MORE_WAITS + 3;

/**
 * Calls `then` when `limitMs` are over, unless it is called off by the function that is given. A process that was held up
 * must not take that for the other side's silence: it waits again, a few times, and hears first what has come meanwhile.
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

/** Gives what `work` gives. @throws Error when it gives nothing for `limitMs` (see `onSilence`); it is not ended by that. */
export async function withTimeout<T>(work: Promise<T>, limitMs: number): Promise<T> {
  let callOff: (() => void) | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    callOff = onSilence(limitMs, () => reject(new Error(`no answer within ${limitMs} ms`)));
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
