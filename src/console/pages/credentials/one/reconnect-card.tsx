import { Plug } from 'lucide-react';
import { useState } from 'react';
import type { UserCredential } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { Card } from '../../../ui/card.js';
import { Button } from '../../../ui/form/button.js';
import { Dialog } from '../../../ui/overlay/dialog.js';
import { Badge } from '../../../ui/words/badge.js';
import { Time } from '../../../ui/words/time.js';
import { AllowAccess } from './allow-access.js';

interface ReconnectCardProps {
  credential: UserCredential;
  /** Whether it is the second value, which drafts of stories get. */
  isTest: boolean;
  mayEdit: boolean;
}

/** Says that a person must connect a credential, why, and leads to where it is done. Nothing if nobody must. */
export function ReconnectCard({ credential, isTest, mayEdit }: ReconnectCardProps) {
  const [address, setAddress] = useState<string>();
  const { id, test_credential: test } = credential;
  const asking = useChange(() => api.userCredentials.update({ id, ...(isTest && { is_test: true }) }), {
    old: ['credentials'],
    onDone: ({ redirect_url: found }) => setAddress(found),
  });
  const need = isTest ? test?.reconnect_needed : credential.reconnect_needed;
  if (!need) return null;
  return (
    <Card
      title={isTest ? 'The test secret needs to be connected' : 'This credential needs to be connected'}
      aside={
        mayEdit && (
          <Button look="main" disabled={asking.isPending} onClick={() => asking.mutate(undefined)}>
            <Plug aria-hidden="true" /> Connect
          </Button>
        )
      }
    >
      <div className="facts-text stack">
        <p className="row row-wrap">
          <Badge tone="bad">reconnect needed</Badge>
          <span className="wrap">{need.reason}</span>
          <Time at={need.since} prefix="found " />
        </p>
        <p>Actions that use it wait up to three days for a user to authorize access. Then they fail.</p>
        {!mayEdit && <p>A team admin can connect it.</p>}
      </div>
      {address !== undefined && (
        <Dialog title="Authorize access" onClose={() => setAddress(undefined)}>
          <AllowAccess address={address} isStored onLater={() => setAddress(undefined)} />
        </Dialog>
      )}
    </Card>
  );
}
