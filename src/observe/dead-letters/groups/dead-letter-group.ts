import type { DeadLetter } from '../dead-letter.js';

/** Dead letters of one action with one text of an error. */
export interface ErrorCount {
  teamId: number;
  storyId: number;
  storyName: string;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  /** The first characters of the error; empty: none was told. */
  error: string;
  letters: number;
  /** How many of them were retried manually before. */
  retried: number;
  firstAt: Date;
  lastAt: Date;
  /** The letter that failed last. */
  newestId: number;
}

/** Dead letters of one action with one kind of error. */
export interface DeadLetterGroup extends Omit<ErrorCount, 'error'> {
  kind: string;
}

/** Hours of a trend. */
export const HOURS = 24;

/** A group with its newest letter, and its failures in each of the last hours, oldest first. */
export interface WatchedGroup extends DeadLetterGroup {
  /** Undefined: it is gone by now. */
  newest: DeadLetter | undefined;
  trend: number[];
}

/** Dead letters of one action with one text of an error that failed in one hour. */
export interface HourCount extends Pick<ErrorCount, 'teamId' | 'storyId' | 'agentId' | 'error' | 'letters'> {
  /** Whole hours since then: 0 to 23. */
  hoursAgo: number;
}

/** The groups, that with the last failure first. */
export interface DeadLetterGroups {
  groups: WatchedGroup[];
  /** False: there are more dead letters, texts of errors or groups than were asked for, or than one request reads. */
  complete: boolean;
}
