import type { StepConflict, StepUpdate, StepUse } from '../../../../clients/typescript/api.js';
import { nounWords } from '../../ui/words/figures.js';

/** Returns what an update does to a story, in words. */
export function updateWords(update: StepUpdate): string {
  const { status, into_draft: isDraft, conflict_count: conflicts } = update;
  if (status === 'current') return 'Up to date';
  if (status === 'updated') return isDraft ? 'In a new draft' : 'Updated';
  if (status === 'conflicts') return `${nounWords(conflicts, 'conflict')}: choose which value counts`;
  if (status === 'refused') return update.problem ?? 'Cannot be updated';
  return isDraft ? 'Goes into a new draft: the story is under change control' : 'Can be updated';
}

/** Returns what an update of several stories has done, in a sentence. */
export function doneWords(updates: readonly StepUpdate[]): string {
  const of = (status: StepUpdate['status']) => updates.filter((each) => each.status === status);
  const drafts = of('updated').filter(({ into_draft: isDraft }) => isDraft).length;
  const left = of('conflicts').length + of('refused').length;
  const parts = [
    `Updated ${nounWords(of('updated').length, 'story', 'stories')}`,
    ...(drafts > 0 ? [`${drafts} of them in drafts`] : []),
    ...(left > 0 ? [`${left} left as they were`] : []),
  ];
  return `${parts.join(', ')}.`;
}

/** Returns the changes of an update that need no choice: an open conflict has none yet. */
export function decidedOf({ differences, conflicts }: StepUpdate): StepUpdate['differences'] {
  const open = new Set(conflicts.map((each) => partOf(each, each.story ?? each.step ?? each.base)));
  return differences.filter((each) => !open.has(partOf(each, each.after ?? each.before)));
}

/** Links have no path: their guid is that of the source, so that only `value` tells one from another. */
function partOf({ kind, guid, path }: Pick<StepConflict, 'kind' | 'guid' | 'path'>, value: unknown): string {
  const { receiver, link_type: port } = (value ?? {}) as { receiver?: unknown; link_type?: unknown };
  return JSON.stringify([kind, guid, path, ...(kind === 'link' ? [receiver, port] : [])]);
}

/** Returns the stories that an update would change, at most so many. */
export function behindOf(uses: readonly StepUse[], most: number): number[] {
  return uses
    .filter(({ behind, locked }) => behind && !locked)
    .map(({ story_id: id }) => id)
    .slice(0, most);
}
