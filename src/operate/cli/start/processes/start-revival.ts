import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../../../platform/errors.js';
import { type BackoffOptions, createStartBackoff } from './start-backoff.js';

export interface RevivalOptions {
  name: string;
  /** Restarts the process; a failure counts as another exit. */
  start: () => Promise<void>;
  say: (line: string) => void;
  /** Called once if the process keeps failing and has never worked. */
  giveUp: (reason: string) => void;
  /** Returns true if others saw the process work. A process that ran for 5 s counts as working in any case. */
  hasWorked?: (() => boolean) | undefined;
  backoff?: BackoffOptions | undefined;
}

/** A process that cannot start at all exits earlier than this. */
const WORKED_MS = 5_000;

/**
 * Restarts one process after it exited, with growing waits, and reports each exit and each restart. A process that
 * has worked before is restarted without end, while the other processes keep running.
 */
export function createStartRevival({ name, start, say, giveUp, ...options }: RevivalOptions) {
  const backoff = createStartBackoff(options.backoff);
  let worked = false;
  const cancelled = new AbortController();
  let since = Date.now();

  async function revive(how: string): Promise<void> {
    for (let reason = how; !cancelled.signal.aborted; ) {
      const ranMs = Date.now() - since;
      const { waitMs, keepsFailing } = backoff.next(ranMs);
      worked ||= ranMs >= WORKED_MS || options.hasWorked?.() === true;
      if (keepsFailing && !worked) return giveUp(`${name} keeps failing (last: ${reason})`);
      const others = keepsFailing ? ` (it keeps failing; other processes are unaffected)` : '';
      say(`${name} ${reason}; restarting in ${waitMs / 1000} s${others}`);
      if (!(await waited(waitMs))) return;
      since = Date.now();
      try {
        await start();
        return say(`${name} is running again`);
      } catch (error) {
        reason = `did not start: ${messageOf(error)}`;
      }
    }
  }

  async function waited(ms: number): Promise<boolean> {
    try {
      await pause(ms, undefined, { signal: cancelled.signal });
      return true;
    } catch {
      // Only `cancel` ends the wait early.
      return false;
    }
  }

  return {
    /** Call when the process has exited; `how` describes the exit ("ended with code 1"). */
    died(how: string): void {
      revive(how).catch((error: unknown) => giveUp(`${name}: ${messageOf(error)}`));
    },
    /** Prevents further restarts, because everything is being stopped. */
    cancel(): void {
      cancelled.abort();
    },
  };
}
