import { useState } from 'react';
import { useStore } from 'zustand';
import { useKeys } from '../../../keys/use-keys.js';
import { isDirty } from '../../../story-model/editor-store.js';
import { Button } from '../../../ui/form/button.js';
import { useEdited, useEditor } from '../editor-context.js';
import { ContestedParts } from './contested-parts.js';
import { SaveAsDraft } from './save-as-draft.js';
import { saveWords } from './save-words.js';
import styles from '../editor.module.css';

/** How far the changes are saved, in words. The key that saves elsewhere does not wait for the second of rest. */
export function SaveStatus() {
  const { saver, keeper, readOnly, draftId } = useEditor();
  const state = useStore(saver.state);
  const isKept = useStore(keeper.isKept);
  const isGone = state.kind === 'gone';
  const hasChanges = useEdited((edited) => isGone && isDirty(edited));
  const [isChoosing, setChoosing] = useState(false);
  const saveNow = () => void saver.flush();
  useKeys('page', { 'Mod+s': saveNow });
  useKeys('field', { 'Mod+s': saveNow });
  // A story that others have locked meanwhile may lack what was typed before.
  if (readOnly !== undefined && state.kind === 'saved') return <span className="soft">{readOnly}</span>;
  const words = saveWords(state, { isKept, isDirty: hasChanges, isDraft: draftId !== undefined });
  const isBad = isGone || state.kind === 'unsent' || state.kind === 'refused' || state.kind === 'contested';
  return (
    <span className={styles['saved']} title={'sentences' in state ? state.sentences.join(' ') : undefined}>
      <span role="status" className={isBad ? 'bad' : 'soft'}>
        {words}
      </span>
      {state.kind === 'unsent' && <Button onClick={saveNow}>Retry</Button>}
      {state.kind === 'contested' && <Button onClick={() => setChoosing(true)}>Choose</Button>}
      {isGone && draftId !== undefined && <SaveAsDraft />}
      {isChoosing && <ContestedParts onClose={() => setChoosing(false)} />}
    </span>
  );
}
