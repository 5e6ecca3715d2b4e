import type { Selection, StoryDraft } from '../../../story-model/story-draft.js';

/** A part that is chosen now, or no longer. */
export interface Choice {
  id: string;
  selected: boolean;
}

/** Returns the selection after these choices; parts that are gone are no part of it. */
export function chosenAfter(
  { actions, links, notes }: StoryDraft,
  before: Selection,
  changes: readonly Choice[],
): Required<Selection> {
  const chosen = new Set([...(before.actions ?? []), ...(before.links ?? []), ...(before.notes ?? [])]);
  for (const { id, selected } of changes) {
    if (selected) chosen.add(id);
    else chosen.delete(id);
  }
  const keys = [...chosen];
  return {
    actions: keys.filter((key) => actions.has(key)),
    links: keys.filter((key) => links.has(key)),
    notes: keys.filter((key) => notes.has(key)),
  };
}
