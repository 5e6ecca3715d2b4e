import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { numberIn, useAddress } from '../../../ui/browser/use-address.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Pager } from '../../../ui/lists/pager.js';
import { Question } from '../../../ui/overlay/question.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { useKeyList } from '../team-data.js';
import { KeyTable } from './key-table.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { isolated } from '../../../text/isolated.js';

/** The keys of programs: a person's own, and for owners those of the tenant and its teams. */
export function KeysTab() {
  const [query, change] = useAddress();
  const [isNew, setNew] = useState(false);
  const [asked, setAsked] = useState<ApiKey>();
  const keys = useKeyList(numberIn(query, 'page') ?? 1);
  const revoking = useChange((id: number) => api.apiKeys.delete({ id }), {
    did: 'API key revoked.',
    old: ['keys', 'sessions'],
    onDone: () => setAsked(undefined),
  });
  return (
    <div className="team-part list-part">
      <div className="row row-wrap">
        <span className="faint grow">{keys.data && nounWords(keys.data.meta.count, 'key')}</span>
        <Button look="main" onClick={() => setNew(true)}>
          <Plus aria-hidden="true" /> New key
        </Button>
      </div>
      <div className="table-frame">
        <Answer of={keys} lines={4}>
          {({ api_keys: all }) =>
            all.length === 0 ? (
              <Nothing title="No API keys yet." icon={<KeyRound aria-hidden="true" />}>
                <p>A program calls the API with a key. Create one here; it is shown once.</p>
              </Nothing>
            ) : (
              <KeyTable keys={all} onRevoke={setAsked} />
            )
          }
        </Answer>
      </div>
      {keys.data && <Pager meta={keys.data.meta} onPage={(page) => change({ page })} />}
      {isNew && <NewKeyDialog onClose={() => setNew(false)} />}
      {asked !== undefined && (
        <Question
          title={`Revoke ${isolated(asked.name)}?`}
          about="Programs that use the key lose access immediately. This cannot be undone."
          button="Revoke key"
          isBusy={revoking.isPending}
          onClose={() => setAsked(undefined)}
          onYes={() => revoking.mutate(asked.id)}
        />
      )}
    </div>
  );
}
