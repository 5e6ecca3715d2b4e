import { Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { UserCredential } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { Badge } from '../../../ui/words/badge.js';
import { Button } from '../../../ui/form/button.js';
import { Question } from '../../../ui/overlay/question.js';
import { Time } from '../../../ui/words/time.js';
import { SharedBadge } from '../../resources/shared-badge.js';
import { KINDS } from '../credential-kinds.js';
import { CREDENTIALS } from '../credentials-data.js';
import { CredentialDialog } from './credential-dialog.js';

interface CredentialHeadProps {
  credential: UserCredential;
  /** The key of this server that it holds. */
  keyId: number | null;
  mayEdit: boolean;
}

/** The name of a credential and what can be done with the whole of it. */
export function CredentialHead({ credential, keyId, mayEdit }: CredentialHeadProps) {
  const [open, setOpen] = useState<'settings' | 'delete'>();
  const [, go] = useLocation();
  const { id, name, description, mode, updated_at: at } = credential;
  const deleting = useChange(() => api.deleteUserCredential({ id }), {
    did: 'The credential is deleted.',
    old: [CREDENTIALS, 'keys'],
    onDone: () => go('/credentials'),
  });
  return (
    <>
      <header className="page-head">
        <h1 className="wrap">{name}</h1>
        <Badge>{KINDS[keyId === null ? mode : 'FABULA'].name}</Badge>
        <SharedBadge access={credential.read_access} />
        <span className="page-note">
          <Time at={at} prefix="changed " />
        </span>
        {mayEdit && (
          <>
            <Button onClick={() => setOpen('settings')}>
              <Pencil aria-hidden="true" /> Settings
            </Button>
            <Button look="danger" onClick={() => setOpen('delete')}>
              <Trash2 aria-hidden="true" /> Delete
            </Button>
          </>
        )}
      </header>
      {description !== '' && <p className="soft wrap">{description}</p>}
      {open === 'settings' && <CredentialDialog credential={credential} onClose={() => setOpen(undefined)} />}
      {open === 'delete' && (
        <Question
          title={`Delete ${name}?`}
          about={
            keyId === null
              ? 'Actions that name it fail from then on. It cannot be undone: the secret is gone.'
              : 'Its key is revoked, and actions that name it fail from then on. It cannot be undone.'
          }
          button="Delete it"
          isBusy={deleting.isPending}
          onClose={() => setOpen(undefined)}
          onYes={() => deleting.mutate(undefined)}
        />
      )}
    </>
  );
}
