import type { SearchedTeams } from '../../platform/mysql/shown-search.js';

/** A delivery that failed for good. */
export interface DeadLetter {
  id: number;
  teamId: number;
  storyId: number;
  storyName: string;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  storyRunGuid: string;
  /** Null where the action begins the run. */
  eventId: number | null;
  attempts: number;
  /** Times it was sent again by hand. */
  retries: number;
  error: string | null;
  createdAt: Date;
  failedAt: Date;
}

/** Which dead letters; all of it must hold. */
export interface DeadLetterQuery {
  teamId?: number | undefined;
  storyId?: number | undefined;
  /** `agent_id` and `action_id`: the same thing twice. */
  agentIds: number[];
  storyRunGuid?: string | undefined;
  /** Part of the error's text; letter case does not count. */
  error?: string | undefined;
  /** Failed at this time or later, and before that one. */
  since?: Date | undefined;
  until?: Date | undefined;
}

/** A query in the reach of whoever asks. */
export interface DeadLetterSearch extends Omit<DeadLetterQuery, 'teamId' | 'agentIds'>, SearchedTeams {
  tenantId: number;
  /** Never empty. */
  teamIds: number[];
  agentId?: number | undefined;
}
