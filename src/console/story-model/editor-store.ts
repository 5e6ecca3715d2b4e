import { createStore, type StoreApi } from 'zustand/vanilla';
import type { GraphAction, StoryGraph, StoryGraphChanges } from '../../../clients/typescript/api.js';
import {
  applied,
  type Change,
  changedByBoth,
  type Changes,
  changesBetween,
  isNothing,
  merged,
  unlikeIn,
} from './changes/draft-changes.js';
import { unlikeParts, withGone } from './changes/draft-conflicts.js';
import { finished, type History, NO_HISTORY, recorded, redone, undone, withStored } from './draft-history.js';
import { fromGraph, toGraphBody } from './graph-draft.js';
import { changesSince, type KeptChanges } from './changes/kept-changes.js';
import type { Command, DraftLink, Keyed, Selection, StoryDraft } from './story-draft.js';

/** A graph as the server gave it, with the `ETag` of the response. */
export interface StoredGraph {
  graph: StoryGraph;
  etag: string;
}

/** A story as it was sent in a write. */
export interface SentStory {
  draft: StoryDraft;
  body: StoryGraphChanges;
}

/** A story that is edited. Select small parts of it: what has not changed is the same object as before. */
export interface EditorState {
  /** The story as the server has it. */
  base: StoryDraft;
  /** The version of `base`, for `If-Match`. */
  baseEtag: string;
  draft: StoryDraft;
  history: History;
  /** The parts that somebody else has changed as well since the last save: one that is saved is as it is here. */
  contested: Selection;
  /** Writes that nobody has answered yet, newest first: each may have had its effect. */
  unanswered: readonly SentStory[];
  run: (command: Command) => void;
  undo: () => void;
  redo: () => void;
  /** Ends a drag: the next move is a step of its own. */
  finish: () => void;
  /**
   * Takes in what the server has by now, below what was changed here. `sent` is the draft that this is the response to;
   * absent: somebody else changed the story. A part that both have changed is as it is here, and contested, also one that is gone
   * there; one that nobody changed here is gone.
   */
  take: (stored: StoredGraph, sent?: StoryDraft) => void;
  /** Settles a contested part: as it is here, or as the server has it. The latter is a step. */
  settle: (part: keyof Selection, key: string, side: 'mine' | 'theirs') => void;
  /** Lets a person choose between these parts as they are here and as the server has them. */
  contest: (parts: Required<Selection>) => void;
  /** Makes changes that a browser kept, in one step. A part that is no longer as it was then is contested. */
  restore: (kept: KeptChanges) => void;
}

export type EditorStore = StoreApi<EditorState>;

/** Opens a story for editing. */
export function createEditorStore({ graph, etag }: StoredGraph): EditorStore {
  const base = fromGraph(graph);
  return createStore<EditorState>()((set) => ({
    base,
    baseEtag: etag,
    draft: base,
    history: NO_HISTORY,
    contested: {},
    unanswered: [],
    run: (command) => set((state) => recorded(state, command(state.draft))),
    undo: () => set(undone),
    redo: () => set(redone),
    finish: () => set(finished),
    take: (stored, sent) => set((state) => taken(state, stored, sent)),
    settle: (part, key, side) => set((state) => settled(state, part, key, side)),
    contest: (parts) => set(({ contested }) => ({ contested: joined(contested, parts) })),
    restore: (kept) => set((state) => restored(state, changesSince(kept, state.base))),
  }));
}

/** Selects one action. */
export const actionOf =
  (key: string) =>
  ({ draft }: EditorState): GraphAction | undefined =>
    draft.actions.get(key);

/** Selects whether there is something to save. */
export const isDirty = ({ base, draft }: EditorState): boolean => !isNothing(changesBetween(base, draft));

/** Selects whether a part waits for a choice between two versions. */
export const hasContested = ({ contested: { actions = [], links = [], notes = [] } }: EditorState): boolean =>
  actions.length + links.length + notes.length > 0;

/** Returns the body that saves the draft. */
export const bodyOf = ({ base, draft }: EditorState): StoryGraphChanges => toGraphBody(draft, base);

function taken(
  { base, draft, contested, history }: EditorState,
  { graph, etag }: StoredGraph,
  sent: StoryDraft | undefined,
): Partial<EditorState> {
  const next = fromGraph(graph, sent === undefined ? keysByGuid(base) : keysByPlace(sent));
  const ours = changesBetween(sent ?? base, draft);
  // What was typed meanwhile leaves new parts the ids and addresses that the server gave them.
  if (sent !== undefined) {
    return {
      base: next,
      baseEtag: etag,
      unanswered: [],
      draft: merged(next, ours, 'change'),
      contested: unlikeParts(contested, sent, draft),
      history: withStored(history, changesBetween(sent, next)),
    };
  }
  const both = changedByBoth(ours, changesBetween(base, next));
  return {
    base: next,
    baseEtag: etag,
    // None of them can have an effect on this version any more.
    unanswered: [],
    draft: withParts(applied(next, ours), draft, both),
    contested: joined(contested, both),
  };
}

function restored(state: EditorState, changes: Changes): Partial<EditorState> {
  return {
    ...recorded(state, {
      draft: applied(state.draft, withGone(state.draft, changes)),
      label: 'Restore unsaved changes',
    }),
    contested: joined(state.contested, unlikeIn(state.draft, changes)),
  };
}

const lacking = <Item>(list: Keyed<Item>, from: Keyed<Item>, keys: readonly string[]) =>
  keys.flatMap((key): [string, Item][] => {
    const item = from.get(key);
    return item === undefined || list.has(key) ? [] : [[key, item]];
  });

/** Returns a draft with those of these parts that it lacks and another one has, and with the links of these actions there. */
function withParts(draft: StoryDraft, other: StoryDraft, parts: Required<Selection>): StoryDraft {
  const actions = lacking(draft.actions, other.actions, parts.actions);
  const notes = lacking(draft.notes, other.notes, parts.notes);
  if (actions.length + notes.length === 0) return draft;
  const back = new Set(actions.map(([key]) => key));
  const present = new Map([...draft.actions, ...actions]);
  const links = [...other.links].filter(
    ([key, { source, receiver }]) =>
      !draft.links.has(key) &&
      (back.has(source) || back.has(receiver)) &&
      present.has(source) &&
      present.has(receiver),
  );
  return {
    ...draft,
    actions: present,
    links: new Map([...draft.links, ...links]),
    notes: new Map([...draft.notes, ...notes]),
  };
}

function settled(
  state: EditorState,
  part: keyof Selection,
  key: string,
  side: 'mine' | 'theirs',
): Partial<EditorState> {
  const contested = {
    ...state.contested,
    [part]: (state.contested[part] ?? []).filter((each) => each !== key),
  };
  if (side === 'mine') return { contested };
  const theirs = changesBetween(state.draft, state.base);
  const none: Changes = { actions: [], links: [], notes: [] };
  const isOfAction = ({ before, after }: Change<DraftLink>) =>
    part === 'actions' && before === undefined && (after?.source === key || after?.receiver === key);
  const change = {
    ...none,
    // An action that was removed here comes back with the links that it has there.
    links: state.draft.actions.has(key) ? [] : theirs.links.filter(isOfAction),
    [part]: theirs[part].filter((each) => each.key === key),
  };
  return {
    ...recorded(state, { draft: applied(state.draft, change), label: 'Use saved version' }),
    contested,
  };
}

function joined(before: Selection, more: Required<Selection>): Selection {
  const both = (part: keyof Selection) => [...new Set([...(before[part] ?? []), ...more[part]])];
  return { actions: both('actions'), links: both('links'), notes: both('notes') };
}

/** The response has the parts in the order in which they were sent. */
function keysByPlace({ actions, notes }: StoryDraft) {
  const keys = { actions: [...actions.keys()], notes: [...notes.keys()] };
  return {
    actions: (_action: unknown, at: number) => keys.actions[at],
    notes: (_note: unknown, at: number) => keys.notes[at],
  };
}

function keysByGuid({ actions, notes }: StoryDraft) {
  const known = new Map([...actions].map(([key, { guid }]) => [guid, key]));
  const knownNotes = new Map([...notes].map(([key, { id }]) => [id, key]));
  return {
    actions: ({ guid }: GraphAction) => known.get(guid),
    notes: ({ id }: { id?: number | null }) => (id ? knownNotes.get(id) : undefined),
  };
}
