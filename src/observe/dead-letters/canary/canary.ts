/** Dead letters that are retried in the stages before the rest. */
export const STAGE_LETTERS = [1, 10] as const;
/** Names of the stages, in order. */
export const STAGES = ['first', 'ten', 'rest'] as const;

/** Days for which a retry is kept after its start. */
export const KEPT_DAYS = 30;
/** Hours after which a retry ends, whatever still runs. */
export const MOST_HOURS = 24;
/** Retries of a tenant that may run at once. */
export const MOST_AT_ONCE = 20;

/** Why the rest is not retried. */
export const STOP_REASONS = ['by_hand', 'same_error', 'failed', 'timed_out'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

export const CANARY_STATES = ['running', 'stopped', 'completed'] as const;
export type CanaryState = (typeof CANARY_STATES)[number];

/** How many of its dead letters are in which state. */
export interface CanaryCounts {
  /** Not retried, or not yet. */
  waiting: number;
  running: number;
  passed: number;
  failed: number;
  /** Retried or dropped by others, or of a cancelled run. */
  skipped: number;
}

/** Whoever started or stopped a retry. */
export interface CanaryUser {
  id: number;
  name: string;
}

/** A retry of dead letters that begins with few of them. */
export interface Canary extends CanaryCounts {
  id: number;
  teamId: number;
  storyId: number;
  agentId: number | null;
  errorKind: string | null;
  /** Null: the account is no more. */
  by: CanaryUser | null;
  stoppedBy: CanaryUser | null;
  /** Stages begun: 0 to 3. */
  stage: number;
  /** Matching dead letters beyond the limit. */
  leftOut: number;
  stopReason: StopReason | null;
  /** The error for which it stopped. */
  stopError: string | null;
  createdAt: Date;
  stoppedAt: Date | null;
  /** Null: something of it still runs, or is still to be retried. */
  endedAt: Date | null;
}

/** A filter of retries; all conditions must hold. */
export interface CanaryQuery {
  storyId?: number | undefined;
  agentId?: number | undefined;
  errorKind?: string | undefined;
}
