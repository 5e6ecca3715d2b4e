import { useState } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../ui/form/button.js';
import { useEditor } from '../editor-context.js';
import { ContestedParts } from './contested-parts.js';
import type { SaveState } from './saver.js';
import styles from '../editor.module.css';

/** How far the changes are saved, in words. */
export function SaveWords() {
  const { saver, keeper, readOnly } = useEditor();
  const state = useStore(saver.state);
  const isKept = useStore(keeper.isKept);
  const [isChoosing, setChoosing] = useState(false);
  if (readOnly !== undefined) return <span className="soft">{readOnly}</span>;
  const words = saveWords(state, isKept);
  const isBad = state.kind === 'unsent' || state.kind === 'refused' || state.kind === 'contested';
  return (
    <span className={styles['saved']} title={'sentences' in state ? state.sentences.join(' ') : undefined}>
      <span role="status" className={isBad ? 'bad' : 'soft'}>
        {words}
      </span>
      {state.kind === 'unsent' && <Button onClick={() => void saver.flush()}>Try now</Button>}
      {state.kind === 'contested' && <Button onClick={() => setChoosing(true)}>Choose</Button>}
      {isChoosing && <ContestedParts onClose={() => setChoosing(false)} />}
    </span>
  );
}

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
