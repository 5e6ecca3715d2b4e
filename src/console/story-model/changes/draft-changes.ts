import type { GraphAction, GraphNote } from '../../../../clients/typescript/api.js';
import { mergedValue } from './merged-value.js';
import { isSame } from '../same-value.js';
import type { DraftLink, Keyed, Selection, StoryDraft } from '../story-draft.js';

/** An item that was added, changed or removed. It is plain JSON, so a browser may keep it. */
export interface Change<Item> {
  key: string;
  /** The place of an item in the list that has it: that after an addition, and that before a removal. */
  at: number;
  /** Undefined for an item that was added. */
  before: Item | undefined;
  /** Undefined for an item that was removed. */
  after: Item | undefined;
}

/** The changes that make one draft another. */
export interface Changes {
  actions: readonly Change<GraphAction>[];
  links: readonly Change<DraftLink>[];
  notes: readonly Change<GraphNote>[];
}

/** Returns what changes `before` into `after`. The order of items that both have is no change. */
export function changesBetween(before: StoryDraft, after: StoryDraft): Changes {
  return {
    actions: between(before.actions, after.actions),
    links: between(before.links, after.links),
    notes: between(before.notes, after.notes),
  };
}

/** Whether nothing changes. */
export function isNothing({ actions, links, notes }: Changes): boolean {
  return actions.length + links.length + notes.length === 0;
}

/** Returns the changes that take these back. */
export function inverted({ actions, links, notes }: Changes): Changes {
  return { actions: actions.map(swapped), links: links.map(swapped), notes: notes.map(swapped) };
}

/** Returns the parts that both change, and not to the same. */
export function changedByBoth(left: Changes, right: Changes): Required<Selection> {
  return {
    actions: inBoth(left.actions, right.actions),
    links: inBoth(left.links, right.links),
    notes: inBoth(left.notes, right.notes),
  };
}

/** Returns the parts that are no longer as they were before these changes, nor as they are after them. */
export function unlikeIn(draft: StoryDraft, { actions, links, notes }: Changes): Required<Selection> {
  return {
    actions: unlike(draft.actions, actions),
    links: unlike(draft.links, links),
    notes: unlike(draft.notes, notes),
  };
}

/** What an item becomes that is another one after the change; without `before`, one of its name was added. */
type Meeting = <Item>(now: Item, change: { before: Item | undefined; after: Item }) => Item;

const replaced: Meeting = (_now, { after }) => after;

/**
 * Returns the draft with these changes. They may have been made in another draft: a change of an item that is gone is left
 * out, and so is a link whose action is gone. A changed item is as it is after the change.
 */
export const applied = (draft: StoryDraft, changes: Changes): StoryDraft => met(draft, changes, replaced);

/**
 * Returns the draft with these changes as `applied` does, but of an item only what changes: what others changed beside it
 * stays. Where they changed the very same value, `side` says whose stays.
 */
export const merged = (draft: StoryDraft, changes: Changes, side: 'change' | 'draft'): StoryDraft =>
  met(
    draft,
    changes,
    <Item>(now: Item, change: { before: Item | undefined; after: Item }) =>
      mergedValue<Item | undefined>(now, change, side) as Item,
  );

function met(draft: StoryDraft, { actions, links, notes }: Changes, meeting: Meeting): StoryDraft {
  const present = appliedTo(draft.actions, actions, meeting);
  return {
    ...draft,
    actions: present,
    links: withoutLoose(appliedTo(draft.links, links, meeting), present),
    notes: appliedTo(draft.notes, notes, meeting),
  };
}

function between<Item>(before: Keyed<Item>, after: Keyed<Item>): Change<Item>[] {
  if (before === after) return [];
  const places = new Map([...after.keys()].map((key, at) => [key, at]));
  const changes: Change<Item>[] = [];
  for (const [at, [key, was]] of [...before].entries()) {
    const is = after.get(key);
    if (!isSame(was, is)) changes.push({ key, at, before: was, after: is });
    places.delete(key);
  }
  for (const [key, at] of places) changes.push({ key, at, before: undefined, after: after.get(key) });
  return changes;
}

function inBoth<Item>(left: readonly Change<Item>[], right: readonly Change<Item>[]): string[] {
  const others = new Map(right.map(({ key, after }) => [key, after]));
  return left
    .filter(({ key, after }) => others.has(key) && !isSame(after, others.get(key)))
    .map(({ key }) => key);
}

function unlike<Item>(list: Keyed<Item>, changes: readonly Change<Item>[]): string[] {
  return changes
    .filter(({ key, before, after }) => !isSame(list.get(key), before) && !isSame(list.get(key), after))
    .map(({ key }) => key);
}

function swapped<Item>({ key, at, before, after }: Change<Item>): Change<Item> {
  return { key, at, before: after, after: before };
}

function appliedTo<Item>(list: Keyed<Item>, changes: readonly Change<Item>[], meeting: Meeting): Keyed<Item> {
  if (changes.length === 0) return list;
  const kept = new Map(list);
  const added: [at: number, key: string, item: Item][] = [];
  for (const { key, at, before, after } of changes) {
    const now = kept.get(key);
    if (after === undefined) kept.delete(key);
    else if (now !== undefined) kept.set(key, meeting(now, { before, after }));
    else if (before === undefined) added.push([at, key, after]);
  }
  const items = [...kept];
  // From the first place on, so that each stands where it stood.
  for (const [at, key, item] of added.toSorted(([a], [b]) => a - b)) items.splice(at, 0, [key, item]);
  return new Map(items);
}

function withoutLoose(links: Keyed<DraftLink>, actions: Keyed<GraphAction>): Keyed<DraftLink> {
  const isLoose = ({ source, receiver }: DraftLink) => !actions.has(source) || !actions.has(receiver);
  if (![...links.values()].some(isLoose)) return links;
  return new Map([...links].filter(([, link]) => !isLoose(link)));
}
