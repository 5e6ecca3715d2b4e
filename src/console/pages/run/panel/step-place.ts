import type { Step } from '../run-tree.js';

/** What a panel shows: a step of a run, and what the run began with. */
export interface StepPlace {
  step: Step;
  /** The input of the run; null for a webhook's. */
  input: unknown;
  storyId: number;
  guid: string;
}
