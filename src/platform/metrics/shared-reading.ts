import { withTimeout } from '../runtime/timeout.js';

/** A slow reading is repeated after this many times its own time at the earliest, so that it takes a twentieth at most. */
const REST = 20;

export interface SharedReadingOptions<T> {
  /** Asks a store. */
  read(): Promise<T>;
  /** Sets gauges to what was read. */
  set(value: T): void;
  /** Called if nothing came within the limit: gauges must not show what is out of date. */
  failed(error: unknown): void;
  /** Callers within this time share one reading. */
  everyMs: number;
  /** Callers wait no longer than this. */
  limitMs: number;
  /** Whether this process is the one that asks; absent: it always is. */
  isOurs?: (() => boolean) | undefined;
  /** Called instead of a reading that is another process's. */
  leave?(): void;
}

/**
 * Returns a function that sets gauges to what a store says. It asks only when it is called, once for all callers, and never
 * twice at once: a store that hangs gets no more questions. It never rejects. A process that becomes the one that asks, asks anew.
 */
export function createSharedReading<T>(options: SharedReadingOptions<T>): () => Promise<void> {
  const { everyMs, limitMs, isOurs = () => true } = options;
  let freshUntil = Number.NEGATIVE_INFINITY;
  let pending: Promise<void> | undefined;

  const ask = async () => {
    const began = performance.now();
    options.set(await options.read());
    const ended = performance.now();
    freshUntil = ended + Math.max(everyMs, REST * (ended - began));
  };

  return async () => {
    if (!isOurs()) {
      freshUntil = Number.NEGATIVE_INFINITY;
      options.leave?.();
      return;
    }
    if (performance.now() < freshUntil) return;
    pending ??= ask().finally(() => (pending = undefined));
    try {
      await withTimeout(pending, limitMs);
    } catch (error) {
      options.failed(error);
    }
  };
}
