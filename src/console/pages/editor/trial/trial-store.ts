import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ActionTrial, CreateTrialBody, StoryTrial } from '../../../../../clients/typescript/api.js';
import type { StoryDraft } from '../../../story-model/story-draft.js';
import type { RequestRule } from './trial-request.js';

/** How much of the story a trial runs: all, what follows the chosen action, or that action alone. */
export type TrialScope = 'story' | 'from' | 'alone';

/** The result of a trial, and the draft that was tried. */
export type TrialDone = { draft: StoryDraft } & (
  | {
      kind: 'story';
      trial: StoryTrial;
      body: CreateTrialBody;
      /** The name of the saved payload that was tried; undefined: none was. */
      sampleName: string | undefined;
    }
  | { kind: 'action'; key: string; name: string; trial: ActionTrial; isCut: boolean }
);

/** The trials of one open story. */
export interface TrialState {
  scope: TrialScope;
  rules: readonly RequestRule[];
  isRunning: boolean;
  error: unknown;
  done: TrialDone | undefined;
  setScope: (scope: TrialScope) => void;
  setRules: (rules: readonly RequestRule[]) => void;
  /** Runs a trial in place of the one that runs. Resolves to its result; undefined if it failed or was stopped. */
  run: (work: (signal: AbortSignal) => Promise<TrialDone>) => Promise<TrialDone | undefined>;
  stop: () => void;
}

/** Makes the state of the trials of one open story. */
export function createTrialStore(): StoreApi<TrialState> {
  let running: AbortController | undefined;
  return createStore<TrialState>()((set) => ({
    scope: 'story',
    rules: [],
    isRunning: false,
    error: undefined,
    done: undefined,
    setScope: (scope) => set({ scope }),
    setRules: (rules) => set({ rules }),
    run: async (work) => {
      running?.abort();
      const own = new AbortController();
      running = own;
      set({ isRunning: true, error: undefined });
      try {
        const done = await work(own.signal);
        if (running !== own) return undefined;
        set({ done, isRunning: false });
        return done;
      } catch (error) {
        if (running === own) set({ error, isRunning: false });
        return undefined;
      }
    },
    stop: () => {
      running?.abort();
      running = undefined;
      set({ isRunning: false });
    },
  }));
}
