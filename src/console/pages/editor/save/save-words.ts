import type { SaveState } from './saver.js';

/** Words for states that need no other fact. */
const WORDS = {
  saved: 'Saved',
  waiting: 'Saving',
  saving: 'Saving',
  contested: 'Not saved: someone else changed the same part',
} as const;

/** Facts about the story, beside how far its changes are saved. */
interface SavedWork {
  /** This browser holds them meanwhile. */
  isKept: boolean;
  isDirty: boolean;
  isDraft: boolean;
}

/** Returns the words for how far changes are saved. */
export function saveWords(state: SaveState, { isKept, isDirty, isDraft }: SavedWork): string {
  if (state.kind === 'gone') {
    const what = isDraft ? 'draft was published or deleted' : 'story was deleted';
    return isDirty ? `Not saved: this ${what}` : `This ${what}`;
  }
  if (state.kind === 'refused') return `Not saved: ${state.sentences[0] ?? 'the server refused it'}`;
  if (state.kind !== 'unsent') return WORDS[state.kind];
  return isKept ? 'Not saved: no connection, kept in this browser' : 'Not saved: no connection';
}
