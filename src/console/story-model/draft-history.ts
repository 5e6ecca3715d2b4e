import {
  type Change,
  type Changes,
  changesBetween,
  inverted,
  isNothing,
  merged,
} from './changes/draft-changes.js';
import { changedSince, without } from './changes/draft-conflicts.js';
import { mergedValue } from './changes/merged-value.js';
import type { Edited, Selection, StoryDraft } from './story-draft.js';

/** One change of a person, which can be taken back and made again. */
export interface Step {
  label: string;
  changes: Changes;
  /** The group that still takes in changes; undefined: the step is finished. */
  group: string | undefined;
}

/** The steps that led to a draft, and those that were taken back. */
export interface History {
  past: readonly Step[];
  /** The one that was taken back last stands first. */
  future: readonly Step[];
}

/** A draft with its steps. */
export interface Journal {
  draft: StoryDraft;
  history: History;
}

/** The history of a draft that nobody has changed. */
export const NO_HISTORY: History = { past: [], future: [] };

/** Returns the journal after a change. What was taken back is forgotten. One that changes nothing is no step. */
export function recorded({ draft, history }: Journal, { draft: after, label, group }: Edited): Journal {
  const last = history.past.at(-1);
  const isJoined = group !== undefined && last?.group === group;
  const start = isJoined ? merged(draft, inverted(last.changes), 'draft') : draft;
  const changes = changesBetween(start, after);
  if (isNothing(changes) && !isJoined) return { draft, history };
  const past = isJoined ? history.past.slice(0, -1) : history.past;
  const step = { label, changes, group };
  return { draft: after, history: { past: isNothing(changes) ? past : [...past, step], future: [] } };
}

/** Returns the journal whose next change is a step of its own, as after the end of a drag. */
export function finished({ draft, history: { past, future } }: Journal): Journal {
  const last = past.at(-1);
  if (last?.group === undefined) return { draft, history: { past, future } };
  return { draft, history: { past: [...past.slice(0, -1), { ...last, group: undefined }], future } };
}

/** Returns the journal with the last step taken back; as it is without one. What others changed since stays. */
export function undone({ draft, history: { past, future } }: Journal): Journal {
  const last = past.at(-1);
  if (last === undefined) return { draft, history: { past, future } };
  return finished({
    draft: withoutLoss(draft, inverted(last.changes)),
    history: { past: past.slice(0, -1), future: [{ ...last, group: undefined }, ...future] },
  });
}

/** Returns the journal with the step made again that was taken back last; as it is without one. */
export function redone({ draft, history: { past, future } }: Journal): Journal {
  const [next, ...rest] = future;
  if (next === undefined) return { draft, history: { past, future } };
  return { draft: withoutLoss(draft, next.changes), history: { past: [...past, next], future: rest } };
}

/** Returns the parts that the next step back, or forth, would remove, and that stay since others have changed them. */
export function stayingParts({ draft, history }: Journal, way: 'undo' | 'redo'): Required<Selection> {
  const step = way === 'undo' ? history.past.at(-1) : history.future[0];
  if (step === undefined) return { actions: [], links: [], notes: [] };
  return changedSince(draft, way === 'undo' ? inverted(step.changes) : step.changes);
}

/** Returns the history with what the server made of the parts that it was sent, such as ids: that is no change of others. */
export function withStored({ past, future }: History, stored: Changes): History {
  if (isNothing(stored)) return { past, future };
  const completed = (step: Step): Step => ({
    ...step,
    changes: {
      actions: step.changes.actions.map((change) => completedBy(stored.actions, change)),
      links: step.changes.links.map((change) => completedBy(stored.links, change)),
      notes: step.changes.notes.map((change) => completedBy(stored.notes, change)),
    },
  });
  return { past: past.map(completed), future: future.map(completed) };
}

function withoutLoss(draft: StoryDraft, changes: Changes): StoryDraft {
  return merged(draft, without(changes, changedSince(draft, changes)), 'draft');
}

function completedBy<Item>(stored: readonly Change<Item>[], change: Change<Item>): Change<Item> {
  const made = stored.find(({ key }) => key === change.key);
  if (made?.before === undefined || made.after === undefined) return change;
  const { before, after } = made;
  const completed = (item: Item | undefined) =>
    item === undefined ? undefined : mergedValue(item, { before, after }, 'draft');
  return { ...change, before: completed(change.before), after: completed(change.after) };
}
