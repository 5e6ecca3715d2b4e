import { createStore, type StoreApi } from 'zustand/vanilla';
import type { TrialMark } from '../../canvas/draft-elements.js';
import type { Selection, StoryDraft } from '../../story-model/story-draft.js';

/** A text that a person has not finished. */
export interface HeldText {
  /** What it is about, and its format. */
  of: string;
  text: string;
  /** The story as the text showed it before. */
  shown: StoryDraft;
}

/** What a person looks at in an open story; no part of the story. */
export interface ViewState {
  selection: Required<Selection>;
  /** Told to screen readers, and shown for a moment. The number tells two equal ones apart. */
  said: { text: string; at: number };
  /** Whether the panel of trials is shown, and how many trials were asked for by the key. */
  trying: { isOpen: boolean; asked: number };
  /** What each action did in the last trial, by its key; empty without one. */
  tried: ReadonlyMap<string, TrialMark>;
  /** The names of others who have chosen an action, by its guid: its key is known here alone. */
  here: ReadonlyMap<string, string>;
  /** The keys of the links that events of that trial took. */
  taken: ReadonlySet<string>;
  /** A text that could not be read when its view was left; the view shows it again. */
  heldText: HeldText | undefined;
  choose: (selection: Selection) => void;
  say: (text: string) => void;
  openTrial: (isOpen: boolean) => void;
  /** Opens the panel, which runs a trial. */
  askTrial: () => void;
  /** The trial that the key asked for has begun. */
  forgetAsked: () => void;
  holdText: (held: HeldText | undefined) => void;
  markTried: (tried: ReadonlyMap<string, TrialMark>, taken?: ReadonlySet<string>) => void;
  markHere: (here: ReadonlyMap<string, string>) => void;
}

export type ViewStore = StoreApi<ViewState>;

const NONE: ReadonlySet<string> = new Set();
const NOTHING_CHOSEN: Required<Selection> = { actions: [], links: [], notes: [] };

/** Makes the state of the view of one open story. */
export function createViewStore(chosen: Selection = {}): ViewStore {
  return createStore<ViewState>()((set) => ({
    selection: { ...NOTHING_CHOSEN, ...chosen },
    said: { text: '', at: 0 },
    trying: { isOpen: false, asked: 0 },
    tried: new Map(),
    here: new Map(),
    taken: NONE,
    heldText: undefined,
    choose: (selection) => set({ selection: { ...NOTHING_CHOSEN, ...selection } }),
    say: (text) => set(({ said }) => ({ said: { text, at: said.at + 1 } })),
    openTrial: (isOpen) => set(({ trying }) => ({ trying: { ...trying, isOpen } })),
    askTrial: () => set(({ trying }) => ({ trying: { isOpen: true, asked: trying.asked + 1 } })),
    forgetAsked: () => set(({ trying }) => ({ trying: { ...trying, asked: 0 } })),
    holdText: (heldText) => set({ heldText }),
    markTried: (tried, taken = NONE) => set({ tried, taken }),
    markHere: (here) => set((state) => (isSame(state.here, here) ? state : { here })),
  }));
}

/** Most times nobody has chosen something else. */
function isSame(one: ReadonlyMap<string, string>, another: ReadonlyMap<string, string>): boolean {
  return one.size === another.size && [...one].every(([key, value]) => another.get(key) === value);
}
