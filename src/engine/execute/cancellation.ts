/** What an action that was told to stop may still take to do so. */
const GRACE_MS = 5_000;

/**
 * Tells the work on one job to stop. An AbortSignal is made only for who asks for one: most actions never do, and with its
 * events it costs as much as everything else that a job needs in memory.
 */
export class Stop {
  #reason: Error | undefined;
  #listener: (() => void) | undefined;
  #controller: AbortController | undefined;

  /** Why it is to stop; undefined: it is not. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  /** For those who know nothing of jobs. */
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
   * What `work` comes to; an action that goes on although it was told to stop is no longer waited for, so that it cannot
   * hold its slot for ever. It writes nothing by itself (rule 10): what it still comes to is dropped. One work at a time.
   * @throws what `work` throws; the reason when nothing came in time.
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
