import { type ReactNode, useMemo } from 'react';
import type { StoryDraft } from '../../../../story-model/story-draft.js';
import { Dialog } from '../../../../ui/overlay/dialog.js';
import { kindOf } from '../../../../ui/words/action-kinds.js';
import styles from '../edit-canvas.module.css';
import { PickList } from '../../../../ui/lists/pick-list.js';

interface PickActionDialogProps {
  title: string;
  draft: StoryDraft;
  /** Whether an action is offered. */
  isOffered: (key: string) => boolean;
  onPick: (key: string) => void;
  onClose: () => void;
  /** What is chosen beside the action. */
  children?: ReactNode;
}

/** Picks one action of the story by a part of its name. */
export function PickActionDialog({
  title,
  draft,
  isOffered,
  onPick,
  onClose,
  children,
}: PickActionDialogProps) {
  const picks = useMemo(
    () =>
      [...draft.actions]
        .filter(([key]) => isOffered(key))
        .map(([key, action]) => {
          const { word, icon: Icon } = kindOf(action);
          return { key, name: action.name, about: word, icon: <Icon aria-hidden="true" /> };
        }),
    [draft, isOffered],
  );
  const find = (text: string) => {
    const searched = text.trim().toLowerCase();
    return picks.filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(searched));
  };
  return (
    <Dialog title={title} dropsText onClose={onClose}>
      <div className={styles['pickDialog']}>
        {children}
        <PickList label="Action" placeholder="Name of an action" find={find} onPick={onPick} />
      </div>
    </Dialog>
  );
}
