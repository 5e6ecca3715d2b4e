import type { ReactNode } from 'react';
import { Button } from '../form/button.js';
import { Dialog } from './dialog.js';

interface FormDialogProps {
  title: string;
  about?: ReactNode;
  /** The text of the button that sends the form. */
  button: string;
  isBusy: boolean;
  wide?: boolean;
  /** Whether a text is in it that was typed before it was opened. */
  isTyped?: boolean;
  onClose: () => void;
  onSend: (form: HTMLFormElement) => void;
  children: ReactNode;
}

/** A dialog with a form, which Enter or its button sends. */
export function FormDialog(props: FormDialogProps) {
  const { title, about, button, isBusy, wide = false, isTyped = false, onClose, onSend, children } = props;
  return (
    <Dialog title={title} about={about} wide={wide} isTyped={isTyped} onClose={onClose}>
      <form
        className="dialog-form"
        onSubmit={(event) => {
          event.preventDefault();
          onSend(event.currentTarget);
        }}
      >
        <div className="dialog-body stack">{children}</div>
        <footer className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="main" disabled={isBusy}>
            {button}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
