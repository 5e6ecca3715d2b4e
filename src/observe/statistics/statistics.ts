import type { AllCounts } from './count/counts.js';

/** The groups of statistics. Minutes, hours and days are those of UTC. */
export const GROUPINGS = ['story', 'action', 'minute', 'hour', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** The orders of actions: by id, or those that worked longest for an event first. */
export const ORDERS = ['id', 'mean_work'] as const;
export type Order = (typeof ORDERS)[number];

/** A request for statistics. */
export interface StatisticsQuery {
  by: Grouping;
  order: Order;
  from?: Date | undefined;
  to?: Date | undefined;
  storyId?: number | undefined;
  teamId?: number | undefined;
  /** Counts of drafts, apart from those of live stories. */
  ofDrafts: boolean;
}

/** Whole minutes, hours or days. */
export interface TimeRange {
  from: Date;
  to: Date;
}

/** The sums of a group. */
export interface GroupSums extends AllCounts {
  /** Runs by the bucket of their time; none for minutes. */
  durations: readonly { bucket: number; runs: number }[];
}

/** An item of the list: a story, an action, a minute, an hour or a day. */
export interface StatisticsGroup extends TimeRange {
  /** null for minutes, hours and days. */
  story: { id: number; name: string } | null;
  /** Null, but for actions. */
  action: { id: number; name: string } | null;
  sums: GroupSums;
}

/** A page of statistics. */
export interface Statistics extends TimeRange {
  groups: StatisticsGroup[];
  /** Number of groups on all pages. */
  total: number;
  /** Minutes before this time have no sums; undefined for other groups, and if it is not known. */
  countedSince: Date | undefined;
  /** All rows before this time are counted. */
  countedUntil: Date;
  /** The time of the database, when the response was made. */
  now: Date;
}
