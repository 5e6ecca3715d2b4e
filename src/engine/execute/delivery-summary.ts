import type { Outcome } from '../state/outcome.js';

/** The return value of a job, shown by Bull Board. */
export interface DeliverySummary {
  /** `handled`: it failed for good, and its failure links got the error. */
  outcome: Exclude<Outcome['kind'], 'claim'> | 'gone' | 'handled';
  storyRunGuid?: string;
  story?: string;
  agent?: string;
  eventIds?: number[];
  error?: string;
}
