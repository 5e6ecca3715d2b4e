import { useState } from 'react';
import { say } from '../../../../ui/overlay/toasts.js';
import { Button } from '../../../../ui/form/button.js';
import { Field, Input, TextArea } from '../../../../ui/form/field.js';

interface OpenapiSourceProps {
  isBusy: boolean;
  onSource: (source: { url: string } | { document: string }) => void;
  onClose: () => void;
}

const MOST_BYTES = 10 * 1024 * 1024;

/** Asks for an OpenAPI document: its address, a file, or its text. */
export function OpenapiSource({ isBusy, onSource, onClose }: OpenapiSourceProps) {
  const [url, setUrl] = useState('');
  const [text, setText] = useState('');
  const isReady = url.trim() !== '' || text.trim() !== '';
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSource(text.trim() === '' ? { url: url.trim() } : { document: text });
      }}
    >
      <div className="dialog-body stack">
        <Field
          name="URL of the document"
          note="The server fetches it, within its rules for outbound requests."
        >
          <Input
            type="url"
            placeholder="https://api.example.com/openapi.json"
            maxLength={2_000}
            value={url}
            onChange={({ target }) => setUrl(target.value)}
          />
        </Field>
        <Field name="Or a file">
          <Input
            type="file"
            accept=".json,.yaml,.yml"
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file === undefined) return;
              // A file of gigabytes would stop the tab before the server could refuse it.
              if (file.size > MOST_BYTES) return say('The file is larger than 10 MiB.', 'bad');
              file.text().then(setText, () => say('The file cannot be read.', 'bad'));
            }}
          />
        </Field>
        <Field name="Or its text" note="OpenAPI 3.0 or 3.1 as JSON or YAML, at most 10 MiB.">
          <TextArea rows={6} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="main" disabled={!isReady || isBusy}>
          List operations
        </Button>
      </footer>
    </form>
  );
}
