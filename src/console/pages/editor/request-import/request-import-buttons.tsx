import { useState } from 'react';
import type { GraphAction } from '../../../../../clients/typescript/api.js';
import { setOptions } from '../../../story-model/commands/action-commands.js';
import { Button } from '../../../ui/form/button.js';
import { useEditor, useRun } from '../editor-context.js';
import { withRequest } from './needed-credentials.js';
import { IMPORT_SOURCES, type ImportSource, RequestImportDialog } from './request-import-dialog.js';

/** Fills in the request of an open HTTP action from a command or a document, in one step. */
export function RequestImportButtons({
  actionKey,
  options,
}: {
  actionKey: string;
  options: GraphAction['options'];
}) {
  const { store } = useEditor();
  const run = useRun();
  const [source, setSource] = useState<ImportSource>();
  return (
    <>
      {IMPORT_SOURCES.map(([each, name]) => (
        <Button key={each} look="quiet" onClick={() => setSource(each)}>
          {name}
        </Button>
      ))}
      {source !== undefined && (
        <RequestImportDialog
          source={source}
          button="Fill in options"
          onClose={() => setSource(undefined)}
          onImport={(action) => {
            setSource(undefined);
            store.getState().finish();
            run(setOptions(actionKey, withRequest(options, action.options)));
            store.getState().finish();
          }}
        />
      )}
    </>
  );
}
