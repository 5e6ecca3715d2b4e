import { useState } from 'react';
import { sentencesOf } from '../../text/problems.js';
import { Button } from '../../ui/form/button.js';
import { TextArea } from '../../ui/form/field.js';
import { Dialog } from '../../ui/overlay/dialog.js';
import { copyText } from '../../ui/words/copy-text.js';

interface WholeValueProps {
  /** The name of the field. */
  label: string;
  /** Reads the value. @throws Error with the reason why there is none. */
  read: () => Promise<string>;
}

/** Reads and shows the whole value of a template of which the line below the field has the beginning. */
export function WholeValue({ label, read }: WholeValueProps) {
  const [value, setValue] = useState<string>();
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const show = async () => {
    setBusy(true);
    setFault(undefined);
    try {
      setValue(await read());
    } catch (error) {
      setFault(sentencesOf(error).join(' '));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button look="quiet" disabled={isBusy} onClick={() => void show()}>
        Show all
      </Button>
      {fault !== undefined && (
        <span className="bad wrap" role="alert">
          {fault}
        </span>
      )}
      {value !== undefined && (
        <Dialog title={`Value of ${label}`} wide onClose={() => setValue(undefined)}>
          <div className="dialog-body stack">
            <TextArea aria-label={`Whole value of ${label}`} readOnly rows={24} value={value} />
          </div>
          <footer className="dialog-foot">
            <Button onClick={() => void copyText(value, 'the value')}>Copy</Button>
            <Button look="main" onClick={() => setValue(undefined)}>
              Close
            </Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}
