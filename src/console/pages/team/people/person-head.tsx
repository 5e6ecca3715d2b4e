import { Mail, Pencil } from 'lucide-react';
import { useState } from 'react';
import type { AdminUser, UpdateUserBody } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { sendInvitation } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { useIsOwner } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { Question } from '../../../ui/overlay/question.js';
import { Time } from '../../../ui/words/time.js';
import { nameOf } from '../team-data.js';
import { PersonBadges } from './people-tab.js';
import { PersonDialog } from './person-dialog.js';
import { isolated } from '../../../text/isolated.js';

/** The name of a person, and what an owner does with the account. */
export function PersonHead({ person }: { person: AdminUser }) {
  const isOwner = useIsOwner();
  return (
    <>
      <header className="page-head">
        <h1 className="wrap">{nameOf(person)}</h1>
        <span className="page-note">
          <PersonBadges person={person} />
        </span>
        {isOwner && !person.is_service_account && <PersonActions person={person} />}
      </header>
      <p className="soft wrap">
        <bdi>{person.email}</bdi> ·{' '}
        {person.last_seen === null ? 'never seen' : <Time at={person.last_seen} prefix="seen " />}
      </p>
    </>
  );
}

function PersonActions({ person }: { person: AdminUser }) {
  const { id, is_active: isActive } = person;
  const [open, setOpen] = useState<'edit' | 'deactivate'>();
  const close = () => setOpen(undefined);
  const inviting = useChange(sendInvitation, { did: 'Invitation sent.', old: [] });
  const changing = useChange((body: UpdateUserBody) => api.users.update({ id, ...body }), {
    did: 'Account changed.',
    old: ['people', 'sessions'],
    onDone: close,
  });
  return (
    <>
      {isActive && (
        <Button disabled={inviting.isPending} onClick={() => inviting.mutate(id)}>
          <Mail aria-hidden="true" /> Send invitation
        </Button>
      )}
      <Button onClick={() => setOpen('edit')}>
        <Pencil aria-hidden="true" /> Edit
      </Button>
      {isActive ? (
        <Button look="danger" onClick={() => setOpen('deactivate')}>
          Deactivate
        </Button>
      ) : (
        <Button disabled={changing.isPending} onClick={() => changing.mutate({ active: true })}>
          Activate
        </Button>
      )}
      {open === 'edit' && (
        <PersonDialog
          person={person}
          isBusy={changing.isPending}
          onClose={close}
          onSave={(body) => changing.mutate(body)}
        />
      )}
      {open === 'deactivate' && (
        <Question
          title={`Deactivate ${isolated(nameOf(person))}?`}
          about="All sessions end and all API keys stop working immediately. The user's work is kept. An owner can reactivate the account."
          button="Deactivate"
          isBusy={changing.isPending}
          onClose={close}
          onYes={() => changing.mutate({ active: false })}
        />
      )}
    </>
  );
}
