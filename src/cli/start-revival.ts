import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../platform/errors.js';
import { type BackoffOptions, createBackoff } from './start-backoff.js';

export interface RevivalOptions {
  name: string;
  /** Starts it again; a failure counts as a death. */
  start: () => Promise<void>;
  say: (line: string) => void;
  /** It died too often and has never worked: a start that cannot succeed. Told once. */
  giveUp: (reason: string) => void;
  /** Whether it has worked, as far as others can tell. One that ran for some seconds has worked in any case. */
  hasWorked?: (() => boolean) | undefined;
  backoff?: BackoffOptions | undefined;
}

/** What cannot start at all ends sooner. */
const WORKED_MS = 5_000;

/**
 * Brings back one process that died, after a wait that grows; reports each death and each return. One that has worked before is never given
 * up: whatever ends it, the others go on.
 */
export function createRevival({ name, start, say, giveUp, ...options }: RevivalOptions) {
  const backoff = createBackoff(options.backoff);
  let worked = false;
  const cancelled = new AbortController();
  let since = Date.now();

  async function revive(how: string): Promise<void> {
    for (let reason = how; !cancelled.signal.aborted; ) {
      const ranMs = Date.now() - since;
      const { waitMs, keepsFailing } = backoff.next(ranMs);
      worked ||= ranMs >= WORKED_MS || options.hasWorked?.() === true;
      if (keepsFailing && !worked) return giveUp(`${name} keeps failing (last: ${reason})`);
      const others = keepsFailing ? ` (it keeps failing; all else goes on)` : '';
      say(`${name} ${reason}; starting it again in ${waitMs / 1000} s${others}`);
      if (!(await waited(waitMs))) return;
      since = Date.now();
      try {
        await start();
        return say(`${name} is back`);
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
      // Only cancelling ends the wait early.
      return false;
    }
  }

  return {
    /** It died; `how` says in what way ("ended with code 1"). */
    died(how: string): void {
      revive(how).catch((error: unknown) => giveUp(`${name}: ${messageOf(error)}`));
    },
    /** No further start: everything is being stopped. */
    cancel(): void {
      cancelled.abort();
    },
  };
}
