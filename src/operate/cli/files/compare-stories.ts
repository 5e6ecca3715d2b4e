import type { JsonObject } from '../../../platform/json.js';
import { stringifyJson } from '../../../platform/json/exact-number.js';
import { visibleText } from '../../../platform/visible-text.js';
import {
  differencesText,
  diffStories,
  type MergeConflict,
  conflictWords,
  FILE_SIDES,
  type StoryDifference,
} from '../../../stories/face.js';

/** Returns true for the same story, with the same order of keys. */
export function isSameStory(one: JsonObject, other: JsonObject): boolean {
  return stringifyJson(one) === stringifyJson(other);
}

/** What a command has found or done for one story. */
export interface StoryOutcome {
  /** Empty: it is not known yet. */
  path: string;
  story_id: number | null;
  name: string;
  state:
    | 'unchanged'
    | 'created'
    | 'pulled'
    | 'pushed'
    | 'would_pull'
    | 'would_push'
    | 'would_create'
    | 'refused'
    | 'failed';
  /** The id of the draft that was written. */
  draft_id?: number;
  differences: StoryDifference[];
  conflicts: { place: string; text: string }[];
  /** Remarks; the reason of a refusal, or of a failure, comes first. */
  notes: string[];
}

const WORDS: Record<StoryOutcome['state'], string> = {
  unchanged: 'nothing to do',
  created: 'created',
  pulled: 'pulled',
  pushed: 'pushed',
  would_pull: 'would be pulled',
  would_push: 'would be pushed',
  would_create: 'would be created',
  refused: 'refused',
  failed: 'failed',
};

/** The exit codes of a command that did not do something; a refusal is one because what others have done would be lost. */
const FAILED = 1;
const REFUSED = 3;

/** Returns the output of a command for these stories. */
export function outcomeResponse(outcomes: StoryOutcome[]): { json: unknown; text: string; exitCode: number } {
  const text = outcomes.map(outcomeText).join('\n');
  return {
    json: outcomes,
    text: text === '' ? 'No stories.' : text,
    exitCode: exitCodeOf(outcomes),
  };
}

function exitCodeOf(outcomes: StoryOutcome[]): number {
  const has = (wanted: StoryOutcome['state']) => outcomes.some(({ state }) => state === wanted);
  if (has('failed')) return FAILED;
  return has('refused') ? REFUSED : 0;
}

function outcomeText({
  path,
  story_id: id,
  name,
  state,
  draft_id: draft,
  differences,
  conflicts,
  notes,
}: StoryOutcome): string {
  const target = [id === null ? '' : ` (story ${id})`, draft === undefined ? '' : `, draft ${draft}`].join(
    '',
  );
  return [
    `${path === '' ? visibleText(name) : path}${target}: ${WORDS[state]}`,
    ...differencesText(differences),
    ...conflicts.map(({ place, text }) => `  ! ${place}: ${text}`),
    ...notes.map((note) => `  ${note}`),
  ].join('\n');
}

/** Returns conflicts as people and machines read them. */
export function shownConflicts(conflicts: readonly MergeConflict[]): StoryOutcome['conflicts'] {
  return conflicts.map((each) => conflictWords(each, FILE_SIDES));
}

/** Returns what differs between two states of one story. */
export function differencesOf(before: JsonObject, after: JsonObject): StoryDifference[] {
  return diffStories(before, after);
}
