import { FileUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button } from '../../ui/form/button.js';
import { Field, TextArea } from '../../ui/form/field.js';
import { FormDialog } from '../../ui/overlay/form-dialog.js';

/** Asks for a bundle: a file, or its text. */
export function GiveBundle({ onFile, onClose }: { onFile: (file: File) => void; onClose: () => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  return (
    <FormDialog
      title="Promote a bundle"
      about="A bundle holds stories of another tenant. It is checked first; nothing is changed until you confirm."
      button="Check it"
      isBusy={text.trim() === ''}
      onClose={onClose}
      onSend={() => onFile(new File([text], 'the pasted bundle', { type: 'application/json' }))}
    >
      <div>
        <input
          ref={chooser}
          type="file"
          accept=".json,application/json"
          hidden
          aria-label="Bundle to promote"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file !== undefined) onFile(file);
          }}
        />
        <Button onClick={() => chooser.current?.click()}>
          <FileUp aria-hidden="true" /> Choose a file…
        </Button>
      </div>
      <Field name="Or paste it here">
        <TextArea
          rows={8}
          value={text}
          placeholder={'{"fabula_bundle": 1, …}'}
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
    </FormDialog>
  );
}
