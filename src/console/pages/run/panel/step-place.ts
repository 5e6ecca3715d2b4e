import type { Step } from '../run-tree.js';

/** The subject of a panel: a step of a run, and the input of the run. */
export interface StepPlace {
  step: Step;
  /** The input of the run; null for a webhook's. */
  input: unknown;
  storyId: number;
  guid: string;
  /** It is read from the archive, which has no requests and responses. */
  isArchived: boolean;
}
