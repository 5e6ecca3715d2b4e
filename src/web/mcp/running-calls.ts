import { BadRequest } from '../../platform/errors.js';
import type { JsonValue } from '../../platform/json.js';
import { stringifyJson } from '../../platform/json/exact-number.js';

/** A request of a client, by the id that the client gave it. */
export interface CallName {
  keyId: number;
  /** The name that the server gave the client; empty if the client does not repeat it. */
  client: string;
  /** A text or a number; undefined for a message that wants no response. */
  id: JsonValue | undefined;
}

export interface RunningCalls {
  /** Returns a signal that aborts, with BadRequest, when the client cancels the call. Call `end` with the response. */
  begin(name: CallName): { cancelled: AbortSignal; end(): void };
  /** Cancels the call, in another process if it does not run in this one. One that has ended is none. */
  cancel(name: CallName): void;
}

/** The calls of one process. */
export interface LocalCalls extends Pick<RunningCalls, 'begin'> {
  /** Returns false if the call does not run here. */
  cancel(name: CallName): boolean;
}

/** Keeps the calls that run in this process, so that a message can cancel one: a message comes on a connection of its own. */
export function createRunningCalls(): LocalCalls {
  const running = new Map<string, Set<AbortController>>();
  return {
    begin(name) {
      const key = keyOf(name);
      const controller = new AbortController();
      const sameName = running.get(key) ?? new Set();
      running.set(key, sameName.add(controller));
      return {
        cancelled: controller.signal,
        end() {
          sameName.delete(controller);
          if (sameName.size === 0) running.delete(key);
        },
      };
    },
    cancel(name) {
      const [first, ...others] = running.get(keyOf(name)) ?? [];
      // Clients without a name of their own may give the same id: better none is cancelled than the wrong one.
      if (first !== undefined && others.length === 0)
        first.abort(new BadRequest('The client cancelled the call'));
      return first !== undefined;
    },
  };
}

function keyOf({ keyId, client, id }: CallName): string {
  return stringifyJson([keyId, client, id]);
}
