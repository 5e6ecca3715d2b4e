import { useLocation } from 'wouter';
import type { UserCredential } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { ThingHead } from '../../resources/thing-head.js';
import { KINDS } from '../credential-kinds.js';
import { CredentialDialog } from './credential-dialog.js';

interface CredentialHeadProps {
  credential: UserCredential;
  /** The key of this server that it holds. */
  keyId: number | null;
  mayEdit: boolean;
  /** Whether the person may revoke its key, which goes with it. */
  mayDelete: boolean;
}

/** The name of a credential and what can be done with the whole of it. */
export function CredentialHead({ credential, keyId, mayEdit, mayDelete }: CredentialHeadProps) {
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
