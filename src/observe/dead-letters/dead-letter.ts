import type { AttemptWithExchange } from '../attempts/attempt.js';
import type { SearchedTeams } from '../../platform/mysql/statements/readable-text.js';

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
  /** Null if the action is the first of the run. */
  eventId: number | null;
  attempts: number;
  /** Number of manual retries. */
  retries: number;
  error: string | null;
  /** Why it failed, if the response tells more than the error. */
  cause: string | null;
  createdAt: Date;
  failedAt: Date;
}

/** A dead letter, and what its run is about; null: that is not told. */
export type NamedDeadLetter = DeadLetter & { subject: string | null };

/** Attempts in the details of a dead letter. */
export const MOST_ATTEMPTS = 20;

/** A dead letter with its newest attempts, oldest first. */
export interface DeadLetterDetails {
  letter: NamedDeadLetter;
  attempts: AttemptWithExchange[];
}

/** A filter of dead letters; all conditions must hold. */
export interface DeadLetterQuery {
  teamId?: number | undefined;
  storyId?: number | undefined;
  /** From `agent_id` and `action_id`, which mean the same. */
  agentIds: number[];
  storyRunGuid?: string | undefined;
  /** Part of the error's text; letter case does not count. */
  error?: string | undefined;
  /** The kind of the error, as the groups have it. */
  errorKind?: string | undefined;
  /** Failed at `since` or later, and before `until`. */
  since?: Date | undefined;
  until?: Date | undefined;
}

/** A query limited to the teams that the actor may access. */
export interface DeadLetterSearch
  extends Omit<DeadLetterQuery, 'teamId' | 'agentIds' | 'errorKind'>,
    SearchedTeams {
  tenantId: number;
  /** Never empty. */
  teamIds: number[];
  agentId?: number | undefined;
  /** First characters of the errors of the wanted kind; empty: no letter fits. */
  errorTexts?: string[] | undefined;
}
