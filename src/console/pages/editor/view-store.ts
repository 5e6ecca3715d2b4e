import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Selection } from '../../story-model/story-draft.js';

/** What a person looks at in an open story; no part of the story. */
export interface ViewState {
  selection: Required<Selection>;
  /** Told to screen readers, and shown for a moment. The number tells two equal ones apart. */
  said: { text: string; at: number };
  choose: (selection: Selection) => void;
  say: (text: string) => void;
}

export type ViewStore = StoreApi<ViewState>;

export const NOTHING_CHOSEN: Required<Selection> = { actions: [], links: [], notes: [] };

/** Makes the state of the view of one open story. */
export function createViewStore(chosen: Selection = {}): ViewStore {
  return createStore<ViewState>()((set) => ({
    selection: { ...NOTHING_CHOSEN, ...chosen },
    said: { text: '', at: 0 },
    choose: (selection) => set({ selection: { ...NOTHING_CHOSEN, ...selection } }),
    say: (text) => set(({ said }) => ({ said: { text, at: said.at + 1 } })),
  }));
}
