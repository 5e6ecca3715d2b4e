import '../credentials.css';
import { useLocation, useParams } from 'wouter';
import { useMay } from '../../../api/signed-in.js';
import { useTitle } from '../../../ui/browser/use-title.js';
import { BackLink } from '../../../ui/back-link.js';
import { Answer } from '../../../ui/states.js';
import { UsedBy } from '../../resources/used-by.js';
import { useCredential } from '../credentials-data.js';
import type { UserCredential } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { ThingHead } from '../../resources/thing-head.js';
import { KINDS } from '../credential-kinds.js';
import { CredentialDialog } from './credential-dialog.js';
import { ReconnectCard } from './reconnect-card.js';
import { SettingsCard } from './settings-card.js';

/** One credential without its secrets: what is known of it, where it is used, and new secrets for it. */
export function CredentialPage() {
  const id = Number(useParams<{ id: string }>().id);
  const found = useCredential(id);
  const mayEdit = useMay('manage', found.data?.credential.team_id);
  useTitle(found.data?.credential.name ?? 'Credential');
  return (
    <div className="page">
      <BackLink href="/credentials">All credentials</BackLink>
      <Answer of={found} lines={8}>
        {({ credential, keyId, mayRevoke }) => {
          const { slug, referencing_action_ids: actionIds = [] } = credential;
          return (
            <>
              <CredentialHead credential={credential} keyId={keyId} mayEdit={mayEdit} mayDelete={mayRevoke} />
              <ReconnectCard credential={credential} isTest={false} mayEdit={mayEdit} />
              <ReconnectCard credential={credential} isTest mayEdit={mayEdit} />
              <SettingsCard credential={credential} keyId={keyId} isTest={false} mayEdit={mayEdit} />
              {keyId === null && (
                <SettingsCard credential={credential} keyId={keyId} isTest mayEdit={mayEdit} />
              )}
              <UsedBy actionIds={actionIds} name={`<<CREDENTIAL.${slug}>>`} />
            </>
          );
        }}
      </Answer>
    </div>
  );
}

interface CredentialHeadProps {
  credential: UserCredential;
  /** The key of this server that it holds. */
  keyId: number | null;
  mayEdit: boolean;
  /** Whether the person may revoke its key, which goes with it. */
  mayDelete: boolean;
}

/** The name of a credential and what can be done with the whole of it. */
function CredentialHead({ credential, keyId, mayEdit, mayDelete }: CredentialHeadProps) {
  const [, go] = useLocation();
  const { id, mode } = credential;
  const deleting = useChange(() => api.userCredentials.delete({ id }), {
    did: 'Credential deleted.',
    old: ['credentials', 'keys'],
    onDone: () => go('/credentials'),
  });
  const about =
    keyId === null
      ? 'Actions that use it will fail. The secret is deleted and this cannot be undone.'
      : 'Its API key is revoked, and actions that use it will fail. This cannot be undone.';
  return (
    <ThingHead
      thing={credential}
      kind={KINDS[keyId === null ? mode : 'FABULA'].name}
      mayEdit={mayEdit}
      settings={(close) => <CredentialDialog credential={credential} onClose={close} />}
      deletion={{
        about,
        isBusy: deleting.isPending,
        onYes: () => deleting.mutate(undefined),
        ...(!mayDelete && { refusal: 'Only an owner can delete it, because that revokes its API key.' }),
      }}
    />
  );
}
