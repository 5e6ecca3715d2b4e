import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../errors.js';
import { type BackoffOptions, createBackoff } from './start-backoff.js';

export interface RevivalOptions {
  name: string;
  /** Starts it again; a failure counts as a death. */
  start: () => Promise<void>;
  say: (line: string) => void;
  /** It died too often: told once. */
  giveUp: (reason: string) => void;
  backoff?: BackoffOptions | undefined;
}

/** Brings back one process that died, after a wait that grows; reports each death and each return. */
export function createRevival({ name, start, say, giveUp, backoff: options }: RevivalOptions) {
  const backoff = createBackoff(options);
  const cancelled = new AbortController();
  let since = Date.now();

  async function revive(how: string): Promise<void> {
    for (let reason = how; !cancelled.signal.aborted; ) {
      const waitMs = backoff.next(Date.now() - since);
      if (waitMs === undefined) return giveUp(`${name} keeps failing (last: ${reason})`);
      say(`${name} ${reason}; starting it again in ${waitMs / 1000} s`);
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
