/** Time that an aborted agent has to end. */
const GRACE_MS = 5_000;

/**
 * Cancels the work on one job. The AbortSignal is created at its first use: most agents need none, and it takes as much
 * memory as the rest of a job.
 */
export class Cancellation {
  #reason: Error | undefined;
  #listener: (() => void) | undefined;
  #controller: AbortController | undefined;

  /** The reason of the abort; undefined if not aborted. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** The same as an AbortSignal, for code that does not know jobs. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** The first reason counts. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    this.#listener?.();
  }

  /**
   * Returns the result of `work`. After an abort it waits for `graceMs` at most, so that an agent that ignores the abort
   * frees its slot. Its later result is dropped: agents write nothing themselves (rule 10). One `work` at a time.
   * @throws what `work` throws; the reason if `work` did not end in time.
   */
  heededBy<T>(work: Promise<T>, graceMs: number = GRACE_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const end = () => {
        clearTimeout(timer);
        this.#listener = undefined;
      };
      this.#listener = () => {
        timer = setTimeout(() => reject(this.#reason as Error), graceMs);
      };
      if (this.#reason !== undefined) this.#listener();
      work.then(
        (value) => {
          end();
          return resolve(value);
        },
        (error: Error) => {
          end();
          return reject(error);
        },
      );
    });
  }
}
