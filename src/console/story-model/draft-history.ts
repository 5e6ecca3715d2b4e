import { type Changes, changesBetween, inverted, isNothing, merged } from './draft-changes.js';
import type { Edited, StoryDraft } from './story-draft.js';

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
    draft: merged(draft, inverted(last.changes), 'draft'),
    history: { past: past.slice(0, -1), future: [{ ...last, group: undefined }, ...future] },
  });
}

/** Returns the journal with the step made again that was taken back last; as it is without one. */
export function redone({ draft, history: { past, future } }: Journal): Journal {
  const [next, ...rest] = future;
  if (next === undefined) return { draft, history: { past, future } };
  return { draft: merged(draft, next.changes, 'draft'), history: { past: [...past, next], future: rest } };
}
