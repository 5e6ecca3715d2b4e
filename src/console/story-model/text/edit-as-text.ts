import { type Changes, changesBetween, merged } from '../changes/draft-changes.js';
import { withGone } from '../changes/draft-conflicts.js';
import { wordsOf } from '../commands/selection-commands.js';
import type { Command, Selection, StoryDraft } from '../story-draft.js';

/**
 * Makes the changes that a text says, in one step: what makes `shown` the draft `said`, and nothing else. A part that it
 * changes and that is gone comes back. Changes of the same parts that follow each other are one step, as a person types them.
 */
export function editAsText(shown: StoryDraft, said: StoryDraft): Command {
  const changes = changesBetween(shown, said);
  const parts = partsOf(changes);
  return (draft) => {
    const named = { ...draft, actions: new Map([...draft.actions, ...said.actions]) };
    return {
      label: `Edit ${wordsOf(named, parts)} as text`,
      draft: merged(draft, withGone(draft, changes), 'change'),
      group: `text ${Object.values(parts).flat().join(' ')}`,
    };
  };
}

const keysOf = (list: readonly { key: string }[]) => list.map(({ key }) => key);

/** Returns the parts that these changes are about. */
export function partsOf({ actions, links, notes }: Changes): Required<Selection> {
  return { actions: keysOf(actions), links: keysOf(links), notes: keysOf(notes) };
}
