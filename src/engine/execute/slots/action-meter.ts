import type { Committed, Outcome } from '../../state/outcome.js';

/**
 * The outcome of a delivery, for counting. `none`: no event. `handled`: its failure links got the error.
 * `later`: it sleeps, rests, or waits for its group or a called run.
 */
export type ActionOutcome = 'event' | 'none' | 'retry' | 'dead' | 'handled' | 'later';

/** A delivery whose outcome is committed. */
export interface CountedAction {
  /** The type of its agent; undefined if it could not be run. */
  type: string | undefined;
  storyId: number;
  outcome: ActionOutcome;
  /** Time that the agent worked; undefined if it did not run. */
  workMs: number | undefined;
}

/** Counts deliveries. */
export interface ActionMeter {
  ran(action: CountedAction): void;
}

/** Returns what came of a delivery; undefined if another worker was faster. */
export function actionOutcome(outcome: Outcome, committed: Committed): ActionOutcome | undefined {
  if (!committed.applied) return undefined;
  if (committed.handled === true) return 'handled';
  if (committed.error !== undefined || outcome.kind === 'failed') return 'dead';
  if (outcome.kind === 'retry') return 'retry';
  if (outcome.kind === 'done' || outcome.kind === 'claim') {
    return committed.eventIds.length > 0 ? 'event' : 'none';
  }
  return 'later';
}
