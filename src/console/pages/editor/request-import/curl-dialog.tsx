import { useMemo, useState } from 'react';
import { importCurl } from '../../../request-import/import-curl.js';
import { Field, TextArea } from '../../../ui/form/field.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { useStoryLanguage } from './request-import-data.js';
import { ImportForm } from './request-import-form.js';
import type { ImportProps } from './import-props.js';
import { neededForCurl } from './needed-credentials.js';

/** Makes an HTTP request of a pasted `curl` command. */
export function CurlDialog({ button, onImport, onClose }: ImportProps) {
  const [text, setText] = useState('');
  const language = useStoryLanguage().data;
  const found = useMemo(
    () =>
      text.trim() === '' || language === undefined
        ? undefined
        : importCurl(text, { language, ownOrigins: [location.origin] }),
    [text, language],
  );
  const request = found?.kind === 'request' ? found : undefined;
  return (
    <Dialog title="Paste a curl command" wide onClose={onClose}>
      <ImportForm
        action={request}
        needed={request === undefined ? [] : neededForCurl(request.secrets)}
        remarks={request?.remarks ?? []}
        language={language ?? 'formula'}
        button={button}
        onImport={onImport}
        onClose={onClose}
      >
        <Field name="curl command">
          <TextArea
            rows={6}
            placeholder="curl https://api.example.com/items -H 'Authorization: Bearer …'"
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
        {found?.kind === 'none' && (
          <p className="warn" role="status">
            {found.message}
          </p>
        )}
        {found?.kind === 'webhook' && (
          <p className="warn" role="status">
            This command calls a webhook of this server. Add a Webhook action to receive it.
          </p>
        )}
      </ImportForm>
    </Dialog>
  );
}
