/** Names of what retention deletes and counts. `events` includes the inputs of runs, `sign_ins` sessions and links. */
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
  'event_marks',
  'audit_logs',
  'sign_ins',
  'idempotency_keys',
  'inbox_marks',
  'inbox_history',
  'canaries',
  'shadows',
] as const;

export type RetentionKind = (typeof RETENTION_KINDS)[number];

/** Number of rows deleted, by kind. */
export type RetentionTally = Record<RetentionKind, number>;

export function emptyTally(): RetentionTally {
  return Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, 0])) as RetentionTally;
}

/** Returns the kinds with a number above 0. */
export function countedKinds(tally: RetentionTally): [RetentionKind, number][] {
  return RETENTION_KINDS.map((kind): [RetentionKind, number] => [kind, tally[kind]]).filter(
    ([, count]) => count > 0,
  );
}
