import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { CreateUserCredentialBody, UserCredential } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import type { Session } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { Button } from '../../../ui/form/button.js';
import { focusFirst } from '../../../ui/form/focus-first.js';
import { textIn } from '../../../ui/form/form-text.js';
import { KINDS } from '../credential-kinds.js';
import { HostsField } from '../hosts-field.js';
import { AllowAccess } from '../one/allow-access.js';
import { SettingFields } from '../setting-fields.js';
import { hostsIn, settingsIn } from '../settings-in.js';
import { NameFields } from './name-fields.js';

interface NewCredentialFormProps {
  kind: UserCredential['mode'];
  teams: Session['teams'];
}

/** Asks for what a kind needs, and makes the credential. */
export function NewCredentialForm({ kind, teams }: NewCredentialFormProps) {
  const [, go] = useLocation();
  const [fault, setFault] = useState<string>();
  const [made, setMade] = useState<UserCredential>();
  const making = useChange((body: CreateUserCredentialBody) => api.userCredentials.create(body), {
    did: 'Credential created.',
    old: ['credentials'],
    onDone: (credential) =>
      credential.redirect_url === undefined ? go(`/credentials/${credential.id}`) : setMade(credential),
  });
  const { settings } = KINDS[kind];
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const given = settingsIn(form, settings);
    setFault(given.fault);
    if (given.fault !== undefined) return;
    making.mutate({
      ...given.values,
      name: textIn(form, 'name'),
      mode: kind,
      team_id: Number(textIn(form, 'team')),
      description: textIn(form, 'description'),
      allowed_hosts: hostsIn(textIn(form, 'hosts')),
    });
  };
  if (made?.redirect_url !== undefined) {
    return <AllowAccess address={made.redirect_url} onLater={() => go(`/credentials/${made.id}`)} />;
  }
  return (
    <form className="credential-form stack" ref={focusFirst} onSubmit={send}>
      <NameFields teams={teams} />
      <SettingFields settings={settings} />
      <HostsField />
      {fault !== undefined && (
        <p className="bad wrap" role="alert">
          {fault}
        </p>
      )}
      <div className="row row-end">
        <Button type="submit" look="main" disabled={making.isPending}>
          Create credential
        </Button>
      </div>
    </form>
  );
}
