/** Dead letters of one action with one text of an error. */
export interface ErrorCount {
  teamId: number;
  storyId: number;
  storyName: string;
  agentId: number;
  /** Null: the action has been deleted. */
  agentName: string | null;
  /** The first characters of the error; empty: none was told. */
  error: string;
  letters: number;
  /** How many of them were retried manually before. */
  retried: number;
  firstAt: Date;
  lastAt: Date;
}

/** Dead letters of one action with one kind of error. */
export interface DeadLetterGroup extends Omit<ErrorCount, 'error'> {
  kind: string;
}

/** The groups, that with the last failure first. */
export interface DeadLetterGroups {
  groups: DeadLetterGroup[];
  /** False: only the newest dead letters were looked at, as there are more of them or of their texts than one request reads. */
  complete: boolean;
}
