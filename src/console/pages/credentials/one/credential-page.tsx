import '../credentials.css';
import { useParams } from 'wouter';
import { useMay } from '../../../api/signed-in.js';
import { useTitle } from '../../../ui/use-title.js';
import { BackLink } from '../../../ui/back-link.js';
import { Answer } from '../../../ui/states.js';
import { UsedBy } from '../../resources/used-by.js';
import { useCredential } from '../credentials-data.js';
import { CredentialHead } from './credential-head.js';
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
