import { FileX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useOwner } from '../../../api/signed-in.js';
import { copied } from '../../../story-model/fragment/fragment.js';
import { fragmentText } from '../../../story-model/fragment/fragment-text.js';
import { applied } from '../../../story-model/changes/draft-changes.js';
import { withGone } from '../../../story-model/changes/draft-conflicts.js';
import { useTitle } from '../../../ui/browser/use-title.js';
import { Card } from '../../../ui/card.js';
import { Button } from '../../../ui/form/button.js';
import { Nothing } from '../../../ui/states.js';
import { CopyButton } from '../../../ui/words/copy-button.js';
import { Time } from '../../../ui/words/time.js';
import styles from '../editor.module.css';
import { forgetWork, type KeptWork } from './journal.js';
import { lostWork } from './unsaved-changes.js';

/** Stands where a draft was that was published or deleted, with what this browser has of it. */
export function DraftGone({ storyId, draftId }: { storyId: number; draftId: number }) {
  useTitle('Draft');
  const owner = useOwner();
  const [kept, setKept] = useState<readonly KeptWork[]>([]);
  useEffect(() => {
    let isGone = false;
    lostWork(owner, draftId, '').then(
      (lost) => !isGone && setKept(lost),
      // A browser that keeps nothing has nothing to offer.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [owner, draftId]);
  const discard = (tab: string) => {
    setKept(kept.filter((each) => each.tab !== tab));
    // It is offered again otherwise, which loses nothing.
    forgetWork(tab).catch(() => undefined);
  };
  return (
    <div className="page">
      <h1 className="unseen">Draft</h1>
      <Nothing title="This draft was published or deleted." icon={<FileX aria-hidden="true" />}>
        <Link href={`/stories/${storyId}`}>Open the story</Link>
      </Nothing>
      {kept.map((work) => (
        <Card key={work.tab} title="Not saved in the draft">
          <div className={styles['unsaved']}>
            <span className="grow">
              This browser has changes from <Time at={new Date(work.at).toISOString()} />. A copy of the
              changed actions and notes can be pasted on the canvas.
            </span>
            <Button onClick={() => discard(work.tab)}>Discard</Button>
            <CopyButton text={textOf(work)} noun="the changed parts" />
            {work.texts.map(({ text, scope }) => (
              <CopyButton key={JSON.stringify(scope)} text={text} noun="the unfinished text" />
            ))}
          </div>
        </Card>
      ))}
    </div>
  );
}

const NOTHING = { actions: new Map(), links: new Map(), notes: new Map(), rest: {} };

/** Returns the parts as they were after these changes, as the clipboard has them. */
function textOf({ changes }: KeptWork): string {
  const parts = applied(NOTHING, withGone(NOTHING, changes));
  return fragmentText(copied(parts, { actions: [...parts.actions.keys()], notes: [...parts.notes.keys()] }));
}
