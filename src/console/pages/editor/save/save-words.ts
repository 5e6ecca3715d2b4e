import type { SaveState } from './saver.js';

/** Words for states that need no other fact. */
const WORDS = {
  saved: 'Saved',
  waiting: 'Saving',
  saving: 'Saving',
  contested: 'Not saved: someone else changed the same part',
} as const;

/** Returns the words for how far changes are saved. `isKept`: this browser holds them meanwhile. */
export function saveWords(state: SaveState, isKept: boolean): string {
  if (state.kind === 'refused') return `Not saved: ${state.sentences[0] ?? 'the server refused it'}`;
  if (state.kind !== 'unsent') return WORDS[state.kind];
  return isKept ? 'Not saved: no connection, kept in this browser' : 'Not saved: no connection';
}
