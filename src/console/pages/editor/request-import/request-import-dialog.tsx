import { lazy, Suspense } from 'react';
import type { ImportProps } from './import-props.js';

const DIALOGS = {
  curl: lazy(async () => ({ default: (await import('./curl-dialog.js')).CurlDialog })),
  openapi: lazy(async () => ({ default: (await import('./openapi/openapi-dialog.js')).OpenapiDialog })),
};

/** A source of requests. */
export type ImportSource = keyof typeof DIALOGS;

/** The sources with their names in lists. */
export const IMPORT_SOURCES: readonly (readonly [ImportSource, string])[] = [
  ['curl', 'Paste a curl command'],
  ['openapi', 'Import from OpenAPI'],
];

/** The type of the actions that are made. */
export const REQUEST_TYPE = 'Agents::HTTPRequestAgent';

/** Makes an HTTP request of a command or of a document. */
export function RequestImportDialog({ source, ...props }: ImportProps & { source: ImportSource }) {
  const Shown = DIALOGS[source];
  return (
    <Suspense>
      <Shown {...props} />
    </Suspense>
  );
}
