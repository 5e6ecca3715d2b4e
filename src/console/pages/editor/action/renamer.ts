import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RenamePreview } from '../../../../../clients/typescript/api.js';
import { nameOf, rename } from '../../../story-model/commands/action-commands.js';
import { nameProblem } from '../../../story-model/reading/draft-problems.js';
import type { EditorStore } from '../../../story-model/editor-store.js';
import type { Command, StoryDraft } from '../../../story-model/story-draft.js';
import { isolated } from '../../../text/isolated.js';
import { sentencesOf } from '../../../text/problems.js';
import { countOfReferences, previewRename, renameAsFound } from './rename-data.js';

/** A new name whose references a person has to see first. */
export interface RenameQuestion {
  key: string;
  from: string;
  to: string;
  /** The story that was looked through; it may have changed since. */
  draft: StoryDraft;
  preview: RenamePreview;
}

/** The rename under way in an open story. */
interface RenamerState {
  /** The action whose references are looked for. */
  busy: string | undefined;
  question: RenameQuestion | undefined;
  /** Why the last wanted name is not that of its action. */
  fault: { key: string; sentence: string } | undefined;
}

/** Renames actions. It outlives the field in which a name was typed: what is under way is not lost with it. */
export interface Renamer {
  state: StoreApi<RenamerState>;
  /** Renames at once, or asks about references; after a rename that is under way. Never throws. */
  change: (key: string, name: string) => Promise<void>;
  answer: (how: 'with references' | 'without references' | 'not at all') => void;
  /** Resolves once references are found: whether no question is left, and no fault that nobody has seen. */
  settled: () => Promise<boolean>;
}

/** `run` runs a command, and says what it did. */
export function createRenamer(store: EditorStore, id: number, run: (command: Command) => void): Renamer {
  const state = createStore<RenamerState>(() => ({ busy: undefined, question: undefined, fault: undefined }));
  let looking: Promise<void> = Promise.resolve();

  const look = async (key: string, name: string) => {
    try {
      const { draft } = store.getState();
      const preview = await previewRename(draft, { id, key, name });
      const isPlain = countOfReferences(preview) === 0 && preview.unsure.length + preview.shared.length === 0;
      if (isPlain) run(rename(key, name));
      else state.setState({ question: { key, from: nameOf(draft, key), to: name, draft, preview } });
    } catch (error) {
      const sentence = `The name was not changed to “${isolated(name)}”. ${sentencesOf(error).join(' ')}`;
      state.setState({ fault: { key, sentence } });
    } finally {
      state.setState({ busy: undefined });
    }
  };

  const change = (key: string, name: string): Promise<void> => {
    const { busy, question } = state.getState();
    // The dialog that asks takes the focus from the field, which is no answer.
    if (busy === key || question !== undefined) return looking;
    if (busy !== undefined) {
      looking = looking.then(() => change(key, name));
      return looking;
    }
    const isSame = name === nameOf(store.getState().draft, key);
    const sentence = isSame ? undefined : nameProblem(name);
    state.setState({ fault: sentence === undefined ? undefined : { key, sentence } });
    if (isSame || sentence !== undefined) return Promise.resolve();
    state.setState({ busy: key });
    looking = look(key, name);
    return looking;
  };

  return {
    state,
    change,
    answer(how) {
      const { question } = state.getState();
      if (question === undefined) return;
      const { key, to } = question;
      state.setState({ question: undefined });
      if (how !== 'not at all')
        run(how === 'with references' ? renameAsFound(key, to, question) : rename(key, to));
    },
    async settled() {
      const { fault: seen } = state.getState();
      await looking;
      const { question, fault } = state.getState();
      return question === undefined && (fault === undefined || fault === seen);
    },
  };
}
