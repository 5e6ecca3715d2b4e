/** The trigger that started a run. */
export type RunSource = 'webhook' | 'api' | 'schedule' | 'send_to_story';

/** How a run ended. */
export type RunEnd = 'completed' | 'failed' | 'cancelled';

/** Numbers of what happened in a story within a moment; they add up. */
export interface NewsCounts {
  runsStarted: number;
  events: number;
  deadLetters: number;
  /** Further news of the story in this moment, of which there were too many. */
  omitted: number;
}

interface Happened {
  storyId: number;
  /** Milliseconds since 1970, by the clock of the process. */
  at: number;
}

/** Whose a thing is. */
interface Owned {
  tenantId: number;
  teamId: number;
}

/** Something that happened in a story, to a case or in a tenant, as processes tell each other while somebody listens. */
export type NewsItem = Happened &
  (
    | { kind: 'run_started'; guid: string; source: RunSource }
    | { kind: 'run_ended'; guid: string; status: RunEnd }
    | { kind: 'log'; guid: string; agentId: number; level: 'warn' | 'error'; message: string }
    | { kind: 'dead_letter'; id: number; guid: string; agentId: number; error: string }
    /** `gone`: the story was deleted; whose it was. */
    | { kind: 'story_changed'; gone?: Owned | undefined }
    /** Of no story. */
    | { kind: 'case_changed'; storyId: 0; caseId: number; of: Owned }
    /** A new entry in the audit log of a tenant. Of no story. */
    | { kind: 'audit_log_changed'; storyId: 0; of: Pick<Owned, 'tenantId'> }
    | ({ kind: 'counts' } & NewsCounts)
  );

/** The key of the stream in which processes tell each other their news. */
export function newsKey(prefix: string): string {
  return `${prefix}:news`;
}

/** Returns the news that the audit log of a tenant has a new entry. */
export function auditNews(tenantId: number): NewsItem {
  return { kind: 'audit_log_changed', storyId: 0, at: Date.now(), of: { tenantId } };
}

/** The news of one process since it told the last ones. */
export interface NewsBatch {
  items: NewsItem[];
  /** News of stories that are not named, because there were too many. */
  lost: number;
}

/** Tells of what happens in stories while somebody listens (notes/api.md, Live events). No method waits or throws. */
export interface News {
  /** False: nobody listens, and nothing is gathered. */
  readonly isWanted: boolean;
  add(item: NewsItem): void;
  count(storyId: number, numbers: Partial<NewsCounts>): void;
  runsStarted(runs: readonly { guid: string; storyId: number; source: RunSource }[]): void;
  /** Call it after a COMMIT that may have ended these runs. */
  mayHaveEnded(guids: Iterable<string>): void;
}
