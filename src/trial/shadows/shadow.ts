/** The runs that a shadow takes: the next ones, a sample of those of the next hours, or the last ones. */
export const SHADOW_KINDS = ['next', 'sample', 'last'] as const;
export type ShadowKind = (typeof SHADOW_KINDS)[number];

/** Runs of one shadow at most. */
export const MOST_RUNS = 10_000;
/** Hours for which a shadow waits for runs at most. */
export const MOST_SHADOW_HOURS = 168;
/** Shadows of a tenant that may go on at once, and those of all tenants. */
export const MOST_SHADOWS = 10;
export const MOST_SHADOWS_OF_ALL = 500;
/** Shadows of a draft that are kept: a new one takes the place of the oldest. */
export const MOST_KEPT_SHADOWS = 10;
/** Days for which a shadow is kept after its start. */
export const SHADOW_KEPT_DAYS = 30;
/** Groups of differences that a shadow keeps. */
export const MOST_GROUPS = 500;
/** Runs that a group names as examples. */
export const MOST_EXAMPLES = 3;
/** Places of runs in the lists of all groups of a shadow. Its own list of differing runs is whole. */
export const MOST_LISTED = 20_000;

/** Why a run was not compared. */
export const SKIP_REASONS = [
  'events_deleted',
  'too_large',
  'incomplete',
  'not_ended',
  'cancelled',
  'no_start',
  'failed',
] as const;
export type ShadowSkipReason = (typeof SKIP_REASONS)[number];

/** Why a shadow ended before it had all of its runs. */
export const SHADOW_STOPS = ['by_hand', 'no_rights'] as const;
export type ShadowStop = (typeof SHADOW_STOPS)[number];

export const SHADOW_STATES = ['running', 'stopped', 'completed'] as const;
export type ShadowState = (typeof SHADOW_STATES)[number];

/** What became of a run that is listed. Of runs that gave the same, only the number is kept. */
export const RUN_VERDICTS = ['different', 'not_compared'] as const;
export type RunVerdict = (typeof RUN_VERDICTS)[number];

/** A run of a shadow that differs or was not compared. */
export interface ShadowRun {
  guid: string;
  createdAt: Date;
  /** Null: it differs. */
  reason: ShadowSkipReason | null;
}

/** How an action of a draft differs from what it did in a run. */
export const DIFFERENCE_KINDS = [
  'changed',
  'added',
  'missing',
  'fails',
  'recovers',
  'other_error',
  'unanswered',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

export const SHADOW_VALUE_TYPES = ['absent', 'null', 'boolean', 'number', 'text', 'list', 'object'] as const;
export type ValueType = (typeof SHADOW_VALUE_TYPES)[number];

/** Numbers of runs that were not compared, by the reason. */
export type SkippedRuns = Partial<Record<ShadowSkipReason, number>>;

/** What became of the runs of a shadow. */
export interface ShadowCounts {
  same: number;
  different: number;
  /** Of both: runs of which a part could not be compared, since the live story does not give it again either. */
  partial: number;
  skipped: SkippedRuns;
}

/** Whoever started or stopped a shadow. */
export interface ShadowUser {
  id: number;
  name: string;
}

/** Runs of a story that go through a draft of it as trials. */
export interface Shadow extends ShadowCounts {
  id: number;
  storyId: number;
  draftId: number;
  teamId: number;
  kind: ShadowKind;
  /** Runs at most. */
  most: number;
  /** The part of the runs that it takes. */
  percent: number;
  /** It takes no runs that began later. */
  until: Date;
  /** The version of the draft that the counts are of. */
  draftVersion: number;
  /** The version of the draft now. */
  presentVersion: number;
  /** How often it began again because the draft was changed. */
  restarts: number;
  /** Runs that it took and that go on. */
  waiting: number;
  /** Groups beyond the most. */
  leftOut: number;
  stop: ShadowStop | null;
  /** Null: the account is no more. */
  by: ShadowUser | null;
  stoppedBy: ShadowUser | null;
  createdAt: Date;
  endedAt: Date | null;
}

/** Differences of one kind at one place, with the runs in which they were found. */
export interface ShadowDifference {
  id: number;
  /** The action of the draft; null: the draft has none in its place. */
  actionId: number | null;
  /** Of the action in the live story; of that in the draft if it is new. */
  guid: string;
  name: string;
  kind: DifferenceKind;
  /** Path in the event; `[]` for any item of a list. */
  path: string;
  before: ValueType | null;
  after: ValueType | null;
  runs: number;
  firstRunAt: Date;
  lastRunAt: Date;
  examples: string[];
}
