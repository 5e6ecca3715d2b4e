import { useStore } from 'zustand';
import { Button } from '../../../ui/form/button.js';
import { useEditor } from '../editor-context.js';
import type { SaveState } from './saver.js';
import styles from '../editor.module.css';

/** How far the changes are saved, in words. */
export function SaveWords() {
  const { saver, keeper, readOnly } = useEditor();
  const state = useStore(saver.state);
  const isKept = useStore(keeper.isKept);
  if (readOnly !== undefined) return <span className="soft">{readOnly}</span>;
  const words = saveWords(state, isKept);
  const isBad = state.kind === 'unsent' || state.kind === 'refused' || state.kind === 'contested';
  return (
    <span className={styles['saved']} title={'sentences' in state ? state.sentences.join(' ') : undefined}>
      <span role="status" className={isBad ? 'bad' : 'soft'}>
        {words}
      </span>
      {state.kind === 'unsent' && <Button onClick={() => void saver.flush()}>Try now</Button>}
    </span>
  );
}

/** Returns the words for how far changes are saved. `isKept`: this browser holds them meanwhile. */
export function saveWords(state: SaveState, isKept: boolean): string {
  switch (state.kind) {
    case 'saved':
      return 'Saved';
    case 'waiting':
    case 'saving':
      return 'Saving';
    case 'contested':
      return 'Not saved: someone changed the same part';
    case 'refused':
      return `Not saved: ${state.sentences[0] ?? 'the server refused it'}`;
    case 'unsent':
      return isKept ? 'Not saved: no connection, kept in this browser' : 'Not saved: no connection';
  }
}
