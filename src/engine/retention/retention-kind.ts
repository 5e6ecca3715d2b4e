/** What goes with time, as it is counted and named. `events` are the inputs of runs, too. */
export const RETENTION_KINDS = [
  'dead_letters',
  'prompts',
  'events',
  'logs',
  'runs',
  'deduplicated_values',
  'memory',
  'schedules',
  'implode_items',
  'audit_logs',
] as const;

export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** How many of each kind went. */
export type RetentionTally = Record<RetentionKind, number>;

export function emptyTally(): RetentionTally {
  return Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, 0])) as RetentionTally;
}

/** The kinds of which something went, with their numbers. */
export function countedKinds(tally: RetentionTally): [RetentionKind, number][] {
  return RETENTION_KINDS.map((kind): [RetentionKind, number] => [kind, tally[kind]]).filter(
    ([, count]) => count > 0,
  );
}
