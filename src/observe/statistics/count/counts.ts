/** The work of an agent, or of all agents of a story. */
export interface WorkCounts {
  /** Webhook calls that were accepted. */
  webhookCalls: number;
  events: number;
  deadLetters: number;
  /** Failures for good whose error went down failure links. */
  handledFailures: number;
}

/** The work of an agent in an hour. */
export interface AgentCounts extends WorkCounts {
  /** How long it worked for its timed events. */
  workMs: number;
  /** Events that tell how long their agent worked. */
  timedEvents: number;
}

/** The work and the runs of a story in a minute. */
export interface MinuteCounts extends WorkCounts {
  runsStarted: number;
  runsEnded: number;
  /** Runs that ended with a dead letter. */
  runsFailed: number;
  runsCancelled: number;
}

/** The same in an hour. */
export interface StoryCounts extends MinuteCounts {
  /** Sum over the runs in `DurationCount`. */
  durationMs: number;
}

/** All counts: each group has some of them. */
export interface AllCounts extends AgentCounts, StoryCounts {}

const WORK_COUNTS = ['webhookCalls', 'events', 'deadLetters', 'handledFailures'] as const;

/** Names of the counts of an agent in an hour, in the order of the columns. */
export const AGENT_COUNTS = [...WORK_COUNTS, 'workMs', 'timedEvents'] as const;

/** Names of the counts of a story in a minute, in the order of the columns. */
export const MINUTE_COUNTS = [
  ...WORK_COUNTS,
  'runsStarted',
  'runsEnded',
  'runsFailed',
  'runsCancelled',
] as const;

/** Names of the counts of a story in an hour, in the order of the columns. */
export const STORY_COUNTS = [...MINUTE_COUNTS, 'durationMs'] as const;

/** No work, and no run. */
export const NO_COUNTS = Object.fromEntries(
  [...STORY_COUNTS, ...AGENT_COUNTS].map((name) => [name, 0]),
) as unknown as AllCounts;

/** The column of each count. */
export const COUNT_COLUMNS: Record<keyof AllCounts, string> = {
  webhookCalls: 'webhook_calls',
  events: 'events',
  deadLetters: 'dead_letters',
  handledFailures: 'handled_failures',
  runsStarted: 'runs_started',
  runsEnded: 'runs_ended',
  runsFailed: 'runs_failed',
  runsCancelled: 'runs_cancelled',
  durationMs: 'duration_ms',
  workMs: 'work_ms',
  timedEvents: 'timed_events',
};

/** Returns the columns of counts. */
export function columnsOf(names: readonly (keyof AllCounts)[]): string[] {
  return names.map((name) => COUNT_COLUMNS[name]);
}

/** An hour or a minute of an agent or a story. */
export interface SpanOf {
  id: number;
  /** Its start, UTC, as the database writes times: `2026-11-21 09:00:00`. */
  at: string;
}

/** Runs of an hour that took about as long: those of a bucket (`bucketOf`). */
export interface DurationCount extends SpanOf {
  bucket: number;
  runs: number;
}
