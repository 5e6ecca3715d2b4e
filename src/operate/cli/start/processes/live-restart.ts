import { messageOf } from '../../../../platform/errors.js';

/** A change of the sources that was compiled. */
export interface SourceChange {
  /** True if a migration changed: the database is migrated before the restart. */
  migrations: boolean;
}

/** Calls `onChange` for each change. Returns the function that ends this. */
export type FollowChanges = (onChange: (change: SourceChange) => void) => () => void;

export interface LiveRestartOptions {
  follow: FollowChanges;
  migrate: () => Promise<void>;
  /** Stops web and worker, and starts them from the new files. */
  restart: () => Promise<void>;
  /** Resolves when the web process accepts requests; rejects with the reason of `signal`. */
  untilLive: (signal: AbortSignal) => Promise<void>;
  say: (line: string) => void;
}

/**
 * Restarts web and worker after each change of the sources (`npm run dev`), one restart at a time. Changes that come during a
 * restart lead to one more. A failure is reported, and the next change is tried. Returns the function that ends this.
 */
export function restartOnChange({ follow, say, ...options }: LiveRestartOptions): () => void {
  let pending: SourceChange | undefined;
  let busy = false;
  let waiting = new AbortController();

  async function work(): Promise<void> {
    busy = true;
    while (pending !== undefined) {
      const { migrations } = pending;
      pending = undefined;
      waiting = new AbortController();
      await apply(migrations, waiting.signal);
    }
    busy = false;
  }

  async function apply(migrations: boolean, signal: AbortSignal): Promise<void> {
    const began = Date.now();
    try {
      if (migrations) await options.migrate();
      await options.restart();
      await options.untilLive(signal);
      say(`Live again after ${((Date.now() - began) / 1000).toFixed(1)} s`);
    } catch (error) {
      // A newer change is about to be applied.
      if (error !== signal.reason) say(`Not restarted: ${messageOf(error)}`);
    }
  }

  const unfollow = follow(({ migrations }) => {
    pending = { migrations: migrations || pending?.migrations === true };
    // A process that cannot start would be waited for in vain.
    waiting.abort();
    if (!busy) void work();
  });
  return () => {
    unfollow();
    waiting.abort();
  };
}
