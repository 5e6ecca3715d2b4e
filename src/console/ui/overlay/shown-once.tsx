import './shown-once.css';
import { Button } from '../form/button.js';
import { CopyButton } from '../words/copy-button.js';
import { Dialog } from './dialog.js';

interface ShownOnceProps {
  title: string;
  about: string;
  /** The text to copy. */
  text: string;
  /** The text in a sentence: `the key`. */
  noun: string;
  onClose: () => void;
}

/** Shows a text that nobody is shown again. It stays until the person says that it is copied, or wants to lose it. */
export function ShownOnce({ title, about, text, noun, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      about={about}
      loses={`Have you copied ${noun}? It cannot be shown again.`}
      onClose={onClose}
    >
      <div className="dialog-body stack">
        <code className="made-key">{text}</code>
        <div>
          <CopyButton text={text} noun={noun} isFirst />
        </div>
      </div>
      <footer className="dialog-foot">
        <Button look="main" onClick={onClose}>
          I have copied it
        </Button>
      </footer>
    </Dialog>
  );
}
