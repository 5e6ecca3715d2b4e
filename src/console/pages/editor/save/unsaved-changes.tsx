import { useEffect, useState } from 'react';
import { useOwner } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Time } from '../../../ui/words/time.js';
import { useEditor } from '../editor-context.js';
import { keyOfText } from '../view-store.js';
import styles from '../editor.module.css';
import { forgetWork, type KeptWork, keptWork } from './journal.js';
import { openTabs } from './open-tabs.js';

/** Offers the changes of a tab that was closed before they were saved. */
export function UnsavedChanges() {
  const { store, view, storyId, draftId, tab, readOnly } = useEditor();
  const [offered, setOffered] = useState<KeptWork[]>([]);
  const owner = useOwner();
  const id = draftId ?? storyId;
  useEffect(() => {
    let isGone = false;
    lostWork(owner, id, tab).then(
      (lost) => !isGone && setOffered(lost),
      // A browser that keeps nothing has nothing to offer.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [owner, id, tab]);
  const [first, ...rest] = offered;
  if (first === undefined || readOnly !== undefined) return null;
  const { actions, links, notes } = first.changes;
  const count = actions.length + links.length + notes.length;
  const words = [
    ...(count > 0 ? [nounWords(count, 'change')] : []),
    ...(first.texts.length > 0 ? [nounWords(first.texts.length, 'unfinished text')] : []),
  ];
  const settle = (isWanted: boolean) => {
    if (isWanted) {
      const { heldTexts, restoreTexts, say } = view.getState();
      // There is one place for the text of a part.
      const isTaken = first.texts.some(({ scope, format }) => heldTexts.has(keyOfText(scope, format)));
      if (isTaken) return say('First fix or discard the text that cannot be read.');
      store.getState().restore(first);
      restoreTexts(first.texts);
    }
    setOffered(rest);
    // It is offered again otherwise, which loses nothing.
    forgetWork(first.tab).catch(() => undefined);
  };
  return (
    <div className={styles['unsaved']} role="status">
      <span className="grow">
        This browser has {words.join(' and ')} that {count + first.texts.length === 1 ? 'was' : 'were'} not
        saved, from <Time at={new Date(first.at).toISOString()} />.
      </span>
      <Button onClick={() => settle(false)}>Discard</Button>
      <Button look="main" onClick={() => settle(true)}>
        Restore
      </Button>
    </div>
  );
}

/** Returns what tabs kept that are closed by now. @throws DOMException in a browser that keeps nothing. */
export async function lostWork(owner: string, storyId: number, own: string): Promise<KeptWork[]> {
  const kept = (await keptWork(owner, storyId, Date.now())).filter(({ tab }) => tab !== own);
  const open = await openTabs(kept.map(({ tab }) => tab));
  return kept.filter(({ tab }) => !open.has(tab));
}
