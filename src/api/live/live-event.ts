/** The trigger that started a run. */
export type RunSource = 'webhook' | 'api' | 'schedule' | 'send_to_story';

/** How a run ended. */
export type RunEnd = 'completed' | 'failed' | 'cancelled';

/** Numbers of what happened in a story within a moment; they add up. */
export interface LiveEventCounts {
  runsStarted: number;
  events: number;
  deadLetters: number;
  /** Live events of the story that were left out of this moment, because there were too many. */
  omitted: number;
}

interface Happened {
  storyId: number;
  /** Milliseconds since 1970, by the clock of the process. */
  at: number;
}

/** Tenant and team of a thing. */
interface Owned {
  tenantId: number;
  teamId: number;
}

/** Something that happened in a story, to a case or in a tenant, which processes publish while a client listens. */
export type LiveEvent = Happened &
  (
    | { kind: 'run_started'; guid: string; source: RunSource }
    | { kind: 'run_ended'; guid: string; status: RunEnd }
    | { kind: 'log'; guid: string; agentId: number; level: 'warn' | 'error'; message: string }
    | { kind: 'dead_letter'; id: number; guid: string; agentId: number; error: string }
    /** `gone`: tenant and team of a story that was deleted. */
    | { kind: 'story_changed'; gone?: Owned | undefined }
    /** Belongs to no story. */
    | { kind: 'case_changed'; storyId: 0; caseId: number; of: Owned }
    /** A new entry in the audit log of a tenant. Of no story. */
    | { kind: 'audit_log_changed'; storyId: 0; of: Pick<Owned, 'tenantId'> }
    | ({ kind: 'counts' } & LiveEventCounts)
  );

/** Returns the key of the stream in which processes publish their live events. */
export function liveEventsKey(prefix: string): string {
  return `${prefix}:news`;
}

/** Returns the live event that the audit log of a tenant has a new entry. */
export function auditLiveEvent(tenantId: number): LiveEvent {
  return { kind: 'audit_log_changed', storyId: 0, at: Date.now(), of: { tenantId } };
}

/** The live events of one process since its last batch. */
export interface LiveEventBatch {
  items: LiveEvent[];
  /** Number of live events that were left out, because there were too many; their stories are not named. */
  lost: number;
}

/** Publishes what happens in stories while a client listens (notes/api.md, Live events). No method waits or throws. */
export interface LiveEvents {
  /** False: no client listens, and nothing is gathered. */
  readonly isWanted: boolean;
  add(item: LiveEvent): void;
  count(storyId: number, numbers: Partial<LiveEventCounts>): void;
  runsStarted(runs: readonly { guid: string; storyId: number; source: RunSource }[]): void;
  /** Call it after a COMMIT that may have ended these runs. */
  mayHaveEnded(guids: Iterable<string>): void;
}
