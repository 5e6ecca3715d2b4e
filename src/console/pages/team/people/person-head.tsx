import { Mail, Pencil, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
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
import { Field, Input, Tick } from '../../../ui/form/field.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';
import { isolated } from '../../../text/isolated.js';
import { say } from '../../../ui/overlay/toasts.js';
import { InvitationLink } from './invitation-link.js';

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
        {isOwner && (
          <Link className="button" href={`/audit?user=${person.id}`}>
            <ScrollText aria-hidden="true" /> Changes by this user
          </Link>
        )}
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
  const [link, setLink] = useState<string | null>(null);
  const inviting = useChange(sendInvitation, {
    old: [],
    onDone: (passedOn) => (passedOn === null ? say('Invitation sent.') : setLink(passedOn)),
  });
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
      {link !== null && <InvitationLink link={link} onClose={() => setLink(null)} />}
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

interface PersonDialogProps {
  person: AdminUser;
  isBusy: boolean;
  onClose: () => void;
  onSave: (body: UpdateUserBody) => void;
}

/** Changes the name and the address of a person, and whether they are an owner. */
function PersonDialog({ person, isBusy, onClose, onSave }: PersonDialogProps) {
  return (
    <FormDialog
      title="Edit the account"
      button="Save"
      isBusy={isBusy}
      onClose={onClose}
      onSend={(form) =>
        onSave({
          email: textIn(form, 'email'),
          first_name: textIn(form, 'first'),
          last_name: textIn(form, 'last'),
          is_owner: textIn(form, 'owner') !== '',
        })
      }
    >
      <Field name="Email address">
        <Input name="email" type="email" required maxLength={255} defaultValue={person.email} />
      </Field>
      <Field name="First name">
        <Input name="first" maxLength={255} defaultValue={person.first_name} />
      </Field>
      <Field name="Last name">
        <Input name="last" maxLength={255} defaultValue={person.last_name} />
      </Field>
      <Tick name="owner" defaultChecked={person.admin}>
        Owner: has full access to this tenant
      </Tick>
    </FormDialog>
  );
}
