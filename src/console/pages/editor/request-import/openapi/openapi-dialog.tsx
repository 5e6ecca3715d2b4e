import { useState } from 'react';
import type {
  ListOpenapiOperationsBody,
  OpenapiListing,
  OpenapiRequest,
} from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { useChange } from '../../../../api/use-change.js';
import type { StoryLanguage } from '../../../../request-import/literal-text.js';
import { Dialog } from '../../../../ui/overlay/dialog.js';
import { useEditor } from '../../editor-context.js';
import { useStoryLanguage } from '../request-import-data.js';
import type { ImportProps } from '../import-props.js';
import { OpenapiOperations } from './openapi-operations.js';
import { OpenapiRequestForm } from './openapi-request-form.js';
import { OpenapiSource } from './openapi-source.js';

type Source = Pick<ListOpenapiOperationsBody, 'url' | 'document'>;
interface Place {
  method: string;
  path: string;
  server?: string;
}

/** The most operations that one answer lists. */
const MOST_LISTED = 500;

/** Makes an HTTP request of an operation of an OpenAPI document: document, operation, then its parameters. */
export function OpenapiDialog({ button, onImport, onClose }: ImportProps) {
  const { teamId } = useEditor();
  const language: StoryLanguage = useStoryLanguage().data ?? 'formula';
  const [source, setSource] = useState<Source>();
  const [listing, setListing] = useState<OpenapiListing>();
  const [picked, setPicked] = useState<{ place: Place; request: OpenapiRequest }>();
  const listingIt = useChange(
    async ({ search = '', ...from }: Source & { search?: string }) => {
      const asked = { ...from, team_id: teamId, limit: MOST_LISTED, ...(search !== '' && { search }) };
      return { from, list: await api.openapi.operations.list(asked) };
    },
    {
      old: [],
      isParallel: true,
      onDone: ({ from, list }) => {
        setSource(from);
        setListing(list);
      },
    },
  );
  const picking = useChange(
    async ({ from, place }: { from: Source; place: Place }) => ({
      place,
      request: await api.openapi.request.import({ ...from, ...place, team_id: teamId, language }),
    }),
    { old: [], onDone: setPicked },
  );
  const pick = (place: Place) => source !== undefined && picking.mutate({ from: source, place });
  const isBusy = listingIt.isPending || picking.isPending;
  const title = listing?.title ? `Import from ${listing.title}` : 'Import from OpenAPI';
  return (
    <Dialog title={title} wide onClose={onClose}>
      {source === undefined || listing === undefined ? (
        <OpenapiSource isBusy={isBusy} onSource={listingIt.mutate} onClose={onClose} />
      ) : picked === undefined ? (
        <OpenapiOperations
          listing={listing}
          isBusy={isBusy}
          onPick={pick}
          onSearch={(search) => listingIt.mutate({ ...source, search })}
          onBack={() => setListing(undefined)}
          onClose={onClose}
        />
      ) : (
        <OpenapiRequestForm
          // Another server is another request.
          key={picked.place.server ?? ''}
          request={picked.request}
          server={picked.place.server}
          language={language}
          button={button}
          onServer={(server) => pick({ ...picked.place, server })}
          onBack={() => setPicked(undefined)}
          onImport={onImport}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}
