import { useQuery } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import type { CreateCredentialBody } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import type { Session } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { useIsOwner } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { Field, Select } from '../../../ui/form/field.js';
import { focusFirst } from '../../../ui/form/focus-first.js';
import { textIn } from '../../../ui/form/form-text.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { ExpiryField, expiryIn } from '../../team/keys/expiry-field.js';
import { HostsField } from '../hosts-field.js';
import { hostsIn } from '../settings-in.js';
import { NameFields } from './name-fields.js';

/** Connects stories with this server: a key of the team is made and kept as a credential in one step. */
export function FabulaForm({ teams }: { teams: Session['teams'] }) {
  const [, go] = useLocation();
  const isOwner = useIsOwner();
  const making = useChange((body: CreateCredentialBody) => api.credentials.create(body), {
    did: 'API key created and saved as a credential.',
    old: ['credentials', 'keys'],
    onDone: ({ id }) => go(`/credentials/${id}`),
  });
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    making.mutate({
      mode: 'fabula',
      name: textIn(form, 'name'),
      team_id: Number(textIn(form, 'team')),
      description: textIn(form, 'description'),
      allowed_hosts: hostsIn(textIn(form, 'hosts')),
      key: {
        kind: 'team',
        role: textIn(form, 'role') === 'EDITOR' ? 'EDITOR' : 'VIEWER',
        ...expiryIn(form),
      },
    });
  };
  const info = useQuery({ queryKey: keys.info, queryFn: () => api.info.get() });
  if (!isOwner) return <Nothing title="Only owners can create team API keys." />;
  return (
    <form className="credential-form stack" ref={focusFirst} onSubmit={send}>
      <NameFields teams={teams} />
      <Field name="Role" note="Permissions of the team's stories when they call the API.">
        <Select name="role" defaultValue="EDITOR">
          <option value="EDITOR">Editor: can view and change the team’s data</option>
          <option value="VIEWER">Viewer: can only view</option>
        </Select>
      </Field>
      <ExpiryField />
      <Answer of={info} lines={1}>
        {({ public_url: url }) => <HostsField hosts={[new URL(url).host]} />}
      </Answer>
      <p className="soft">
        The key is never shown. For programs other than stories, create an{' '}
        <Link href="/team?tab=keys">API key</Link>, which is shown once.
      </p>
      <div className="row row-end">
        <Button type="submit" look="main" disabled={making.isPending}>
          Create key and save it
        </Button>
      </div>
    </form>
  );
}
