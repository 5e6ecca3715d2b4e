import { type Change, type Changes, merged } from './draft-changes.js';
import { isAlike, isSame } from '../same-value.js';
import type { DraftLink, Keyed, Selection, StoryDraft } from '../story-draft.js';

/** Returns the parts that these changes would remove although others have changed them, or linked them, since. */
export function changedSince(draft: StoryDraft, { actions, links, notes }: Changes): Required<Selection> {
  const gone = new Set(links.filter(isRemoval).map(({ key }) => key));
  const linked = new Set(
    [...draft.links].flatMap(([key, { source, receiver }]) => (gone.has(key) ? [] : [source, receiver])),
  );
  const staying = keysOf(
    actions.filter((each) => isOther(draft.actions, each) || (isRemoval(each) && linked.has(each.key))),
  );
  const hasStaying = ({ before }: Change<DraftLink>) =>
    before !== undefined && (staying.includes(before.source) || staying.includes(before.receiver));
  return {
    actions: staying,
    links: keysOf(
      links.filter((each) => isOther(draft.links, each) || (isRemoval(each) && hasStaying(each))),
    ),
    notes: keysOf(notes.filter((each) => isOther(draft.notes, each))),
  };
}

/** Returns the parts of which these changes would replace, remove or bring back what others have changed since. */
export function conflictsIn(draft: StoryDraft, changes: Changes): Required<Selection> {
  const mine = merged(draft, withGone(draft, changes), 'change');
  const theirs = merged(draft, without(changes, changedSince(draft, changes)), 'draft');
  const keys = {
    actions: keysOf(changes.actions),
    links: keysOf(changes.links),
    notes: keysOf(changes.notes),
  };
  return unlikeParts(keys, mine, theirs);
}

/** Returns the changes without those of these parts. */
export function without({ actions, links, notes }: Changes, parts: Required<Selection>): Changes {
  return {
    actions: others(actions, parts.actions),
    links: others(links, parts.links),
    notes: others(notes, parts.notes),
  };
}

/** Returns the changes with additions in the place of changes to parts that are gone from a draft. */
export function withGone(draft: StoryDraft, { actions, links, notes }: Changes): Changes {
  return {
    actions: asAdditions(draft.actions, actions),
    links: asAdditions(draft.links, links),
    notes: asAdditions(draft.notes, notes),
  };
}

/** Returns those of these parts that two drafts have differently. */
export function unlikeParts(
  { actions = [], links = [], notes = [] }: Selection,
  left: StoryDraft,
  right: StoryDraft,
): Required<Selection> {
  return {
    actions: unlike(actions, left.actions, right.actions),
    links: unlike(links, left.links, right.links),
    notes: unlike(notes, left.notes, right.notes),
  };
}

const others = <Item>(changes: readonly Change<Item>[], keys: readonly string[]) =>
  changes.filter(({ key }) => !keys.includes(key));

const unlike = <Item>(keys: readonly string[], ours: Keyed<Item>, theirs: Keyed<Item>) =>
  keys.filter((key) => !isSame(ours.get(key), theirs.get(key)));

const keysOf = (list: readonly { key: string }[]) => list.map(({ key }) => key);

const isRemoval = ({ after }: { after: unknown }) => after === undefined;

/** Whether a part that would be removed is another one by now. */
function isOther<Item>(list: Keyed<Item>, change: Change<Item>): boolean {
  return isRemoval(change) && list.has(change.key) && !isAlike(list.get(change.key), change.before);
}

function asAdditions<Item>(list: Keyed<Item>, changes: readonly Change<Item>[]): Change<Item>[] {
  return changes.map((change) => (list.has(change.key) ? change : { ...change, before: undefined }));
}
