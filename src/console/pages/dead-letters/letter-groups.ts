import type { DeadLetter } from '../../../../clients/typescript/api.js';
import { errorKindOf } from './error-kind.js';

/** Names a group: the action, and the kind of its error. */
export interface GroupName {
  actionId: number;
  kind: string;
}

/** Dead letters of one action with one kind of error. */
export interface LetterGroup extends GroupName {
  storyId: number;
  storyName: string;
  /** Null: the action has been deleted. */
  actionName: string | null;
  /** When its first and its last failed, ISO 8601. */
  first: string;
  last: string;
  /** The oldest first: in this order they are tried again. */
  letters: DeadLetter[];
}

/** Returns the groups of dead letters, that with the last failure first. */
export function groupsOf(letters: readonly DeadLetter[]): LetterGroup[] {
  const oldestFirst = letters.toSorted((a, b) => a.failed_at.localeCompare(b.failed_at) || a.id - b.id);
  const groups = new Map<string, LetterGroup>();
  for (const letter of oldestFirst) {
    const kind = errorKindOf(letter.error);
    const key = `${letter.agent_id} ${kind}`;
    const group = groups.get(key) ?? startOf(letter, kind);
    group.letters.push(letter);
    group.last = letter.failed_at;
    groups.set(key, group);
  }
  return [...groups.values()].toSorted((a, b) => b.last.localeCompare(a.last));
}

function startOf(letter: DeadLetter, kind: string): LetterGroup {
  const { agent_id: actionId, agent_name: actionName, story_id: storyId, story_name: storyName } = letter;
  const at = letter.failed_at;
  return { actionId, actionName, storyId, storyName, kind, first: at, last: at, letters: [] };
}
