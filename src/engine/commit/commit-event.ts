import type { SettledOutcome } from '../state/outcome.js';
import type { Stored } from './store-outputs.js';

/** Is called after the COMMIT of a batch with its outcomes and what each stored. Must not throw, and is not awaited. */
export type CommitListener = (outcomes: SettledOutcome[], stored: Stored[]) => void;

/** The event that outcomes were committed. */
export interface CommitEvent {
  /** Listeners are called in the order of their subscription. */
  subscribe(listener: CommitListener): void;
  publish: CommitListener;
}

/** Returns an event without listeners. */
export function createCommitEvent(): CommitEvent {
  const listeners: CommitListener[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
    publish: (outcomes, stored) => {
      for (const listener of listeners) listener(outcomes, stored);
    },
  };
}
