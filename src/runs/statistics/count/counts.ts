/** The work of an agent in an hour. */
export interface AgentCounts {
  /** Webhook calls that were accepted. */
  webhookCalls: number;
  events: number;
  deadLetters: number;
  /** Failures for good whose error went down failure links. */
  handledFailures: number;
}

/** The runs of a story in an hour. */
export interface StoryCounts extends AgentCounts {
  runsStarted: number;
  runsEnded: number;
  /** Runs that ended with a dead letter. */
  runsFailed: number;
  runsCancelled: number;
  /** Sum over the runs in `DurationCount`. */
  durationMs: number;
}

/** Names of the counts of an agent, in the order of the columns. */
export const AGENT_COUNTS = ['webhookCalls', 'events', 'deadLetters', 'handledFailures'] as const;

/** Names of the counts of a story, in the order of the columns. */
export const STORY_COUNTS = [
  ...AGENT_COUNTS,
  'runsStarted',
  'runsEnded',
  'runsFailed',
  'runsCancelled',
  'durationMs',
] as const;

/** The column of each count. */
export const COUNT_COLUMNS: Record<keyof StoryCounts, string> = {
  webhookCalls: 'webhook_calls',
  events: 'events',
  deadLetters: 'dead_letters',
  handledFailures: 'handled_failures',
  runsStarted: 'runs_started',
  runsEnded: 'runs_ended',
  runsFailed: 'runs_failed',
  runsCancelled: 'runs_cancelled',
  durationMs: 'duration_ms',
};

/** An hour of an agent or a story. */
export interface HourOf {
  id: number;
  /** Its start, UTC, as the database writes times: `2026-11-21 09:00:00`. */
  hour: string;
}

/** Runs that took about as long: those of a bucket (`bucketOf`). */
export interface DurationCount extends HourOf {
  bucket: number;
  runs: number;
}
