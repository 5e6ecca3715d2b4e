import { useState } from 'react';
import { useStore } from 'zustand';
import { useKeys } from '../../../keys/use-keys.js';
import { Button } from '../../../ui/form/button.js';
import { useEditor } from '../editor-context.js';
import { ContestedParts } from './contested-parts.js';
import { saveWords } from './save-words.js';
import styles from '../editor.module.css';

/** How far the changes are saved, in words. The key that saves elsewhere does not wait for the second of rest. */
export function SaveStatus() {
  const { saver, keeper, readOnly } = useEditor();
  const state = useStore(saver.state);
  const isKept = useStore(keeper.isKept);
  const [isChoosing, setChoosing] = useState(false);
  const saveNow = () => void saver.flush();
  useKeys('page', { 'Mod+s': saveNow });
  useKeys('field', { 'Mod+s': saveNow });
  if (readOnly !== undefined) return <span className="soft">{readOnly}</span>;
  const words = saveWords(state, isKept);
  const isBad = state.kind === 'unsent' || state.kind === 'refused' || state.kind === 'contested';
  return (
    <span className={styles['saved']} title={'sentences' in state ? state.sentences.join(' ') : undefined}>
      <span role="status" className={isBad ? 'bad' : 'soft'}>
        {words}
      </span>
      {state.kind === 'unsent' && <Button onClick={saveNow}>Try now</Button>}
      {state.kind === 'contested' && <Button onClick={() => setChoosing(true)}>Choose</Button>}
      {isChoosing && <ContestedParts onClose={() => setChoosing(false)} />}
    </span>
  );
}
