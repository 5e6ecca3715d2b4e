import { createStore, type StoreApi } from 'zustand/vanilla';
import type { TrialMark } from '../../canvas/draft-elements.js';
import type { Selection } from '../../story-model/story-draft.js';
import type { MadeKeys } from '../../story-model/text/read-story-text.js';
import type { TextScope } from '../../story-model/text/story-text.js';
import type { FormatName } from '../../text/formats/text-format.js';

/** A text that cannot be read, and so is not in the story. */
export interface UnreadText {
  text: string;
  /** The text as it was while it said what the story was. */
  was: string;
  made: MadeKeys;
}

/** Such a text with its place. It is plain JSON, so a browser may keep it. */
export interface HeldText extends UnreadText {
  scope: TextScope;
  format: FormatName;
  /** Whether a view shows it. */
  isShown: boolean;
}

/** Returns the name of a text among the held ones. */
export const keyOfText = (scope: TextScope, format: FormatName): string =>
  `${format} ${JSON.stringify(scope)}`;

/** How the options of the chosen action are shown. */
export type OptionLook = 'form' | FormatName;

/** What a person looks at in an open story; no part of the story. */
export interface ViewState {
  selection: Required<Selection>;
  look: OptionLook;
  /** Whether the view of text shows the whole story, and not what is chosen. */
  isWholeText: boolean;
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
  /** The texts that cannot be read, by their names: their views show them again. */
  heldTexts: ReadonlyMap<string, HeldText>;
  /** How often texts of earlier tabs were brought back. */
  restored: number;
  /** An action of which a text could not be read is shown with that text. */
  choose: (selection: Selection) => void;
  showAs: (look: OptionLook) => void;
  showWholeText: (isWhole: boolean) => void;
  say: (text: string) => void;
  openTrial: (isOpen: boolean) => void;
  /** Opens the panel, which runs a trial. */
  askTrial: () => void;
  /** The trial that the key asked for has begun. */
  forgetAsked: () => void;
  /** Keeps a text that cannot be read. */
  holdText: (held: HeldText) => void;
  dropText: (key: string) => void;
  /** Brings back texts of an earlier tab; an open view of one shows it. */
  restoreTexts: (texts: readonly HeldText[]) => void;
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
    look: 'form',
    isWholeText: false,
    said: { text: '', at: 0 },
    trying: { isOpen: false, asked: 0 },
    tried: new Map(),
    here: new Map(),
    taken: NONE,
    heldTexts: new Map(),
    restored: 0,
    choose: (selection) =>
      set((state) => ({
        selection: { ...NOTHING_CHOSEN, ...selection },
        look: lookAt(selection.actions?.[0], state),
      })),
    showAs: (look) => set({ look }),
    showWholeText: (isWholeText) => set({ isWholeText }),
    say: (text) => set(({ said }) => ({ said: { text, at: said.at + 1 } })),
    openTrial: (isOpen) => set(({ trying }) => ({ trying: { ...trying, isOpen } })),
    askTrial: () => set(({ trying }) => ({ trying: { isOpen: true, asked: trying.asked + 1 } })),
    forgetAsked: () => set(({ trying }) => ({ trying: { ...trying, asked: 0 } })),
    holdText: (held) =>
      set(({ heldTexts }) => ({
        heldTexts: new Map(heldTexts).set(keyOfText(held.scope, held.format), held),
      })),
    dropText: (key) =>
      set((state) =>
        state.heldTexts.has(key)
          ? { heldTexts: new Map([...state.heldTexts].filter(([each]) => each !== key)) }
          : state,
      ),
    restoreTexts: (texts) =>
      set(({ heldTexts, restored }) => ({
        heldTexts: new Map([
          ...heldTexts,
          ...texts.map((each): [string, HeldText] => [
            keyOfText(each.scope, each.format),
            { ...each, isShown: false },
          ]),
        ]),
        restored: restored + 1,
      })),
    markTried: (tried, taken = NONE) => set({ tried, taken }),
    markHere: (here) => set((state) => (isSame(state.here, here) ? state : { here })),
  }));
}

function lookAt(action: string | undefined, { selection, look, heldTexts }: ViewState): OptionLook {
  if (action === undefined) return 'form';
  const formats = ['json', 'yaml'] as const;
  const held = formats.find((format) => heldTexts.has(keyOfText({ options: action }, format)));
  return held ?? (selection.actions[0] === action ? look : 'form');
}

/** Most times nobody has chosen something else. */
function isSame(one: ReadonlyMap<string, string>, another: ReadonlyMap<string, string>): boolean {
  return one.size === another.size && [...one].every(([key, value]) => another.get(key) === value);
}
