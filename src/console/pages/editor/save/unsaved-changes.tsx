import { useEffect, useState } from 'react';
import { useSession } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Time } from '../../../ui/words/time.js';
import { useEditor } from '../editor-context.js';
import styles from '../editor.module.css';
import { forgetChanges, type KeptChanges, keptChanges } from './journal.js';
import { openTabs } from './open-tabs.js';

/** Offers the changes of a tab that was closed before they were saved. */
export function UnsavedChanges() {
  const { store, storyId, draftId, tab, readOnly } = useEditor();
  const [offered, setOffered] = useState<KeptChanges[]>([]);
  const owner = String(useSession().user.id);
  const id = draftId ?? storyId;
  useEffect(() => {
    let isGone = false;
    lostChanges(owner, id, tab).then(
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
  const settle = (isTaken: boolean) => {
    if (isTaken) store.getState().restore(first.changes);
    setOffered(rest);
    // It is offered again otherwise, which loses nothing.
    forgetChanges(first.tab).catch(() => undefined);
  };
  return (
    <div className={styles['unsaved']} role="status">
      <span className="grow">
        This browser has {nounWords(count, 'change')} that {count === 1 ? 'was' : 'were'} not saved, from{' '}
        <Time at={new Date(first.at).toISOString()} />.
      </span>
      <Button onClick={() => settle(false)}>Discard</Button>
      <Button look="main" onClick={() => settle(true)}>
        Restore
      </Button>
    </div>
  );
}

/** Returns what tabs kept that are closed by now. @throws DOMException in a browser that keeps nothing. */
async function lostChanges(owner: string, storyId: number, own: string): Promise<KeptChanges[]> {
  const kept = (await keptChanges(owner, storyId, Date.now())).filter(({ tab }) => tab !== own);
  const open = await openTabs(kept.map(({ tab }) => tab));
  return kept.filter(({ tab }) => !open.has(tab));
}
