import type { ReactNode } from 'react';
import { Button } from '../form/button.js';
import { Dialog } from './dialog.js';

interface QuestionProps {
  title: string;
  /** The consequence, in a sentence. */
  about: ReactNode;
  /** What it is about in detail, all of which is shown. */
  children?: ReactNode;
  /** The text of the button that does it. */
  button: string;
  isBusy: boolean;
  onClose: () => void;
  onYes: () => void;
}

/** Asks before something that cannot be undone. */
export function Question({ title, about, children, button, isBusy, onClose, onYes }: QuestionProps) {
  return (
    <Dialog title={title} about={about} onClose={onClose}>
      {children !== undefined && <div className="dialog-body stack">{children}</div>}
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="danger" disabled={isBusy} onClick={onYes}>
          {button}
        </Button>
      </footer>
    </Dialog>
  );
}
