import { useState } from 'react';
import type { CreateApiKeyBody } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { useIsOwner, useSession } from '../../../api/signed-in.js';
import { Field, Input, Select } from '../../../ui/form/field.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';
import { ShownOnce } from '../../../ui/overlay/shown-once.js';
import { RoleField } from '../role-field.js';
import { roleIn } from '../role-words.js';
import { TeamField } from '../team-field.js';
import { ExpiryField, expiryIn } from './expiry-field.js';

const KINDS: [CreateApiKeyBody['kind'], string][] = [
  ['personal', 'Personal: has your permissions'],
  ['team', 'Team: has a role in one team'],
  ['tenant', 'Tenant: has full access'],
];

/** Makes a key, and shows it once. Owners also make keys of teams and of the tenant. */
export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const isOwner = useIsOwner();
  const { teams } = useSession();
  const [kind, setKind] = useState<CreateApiKeyBody['kind']>('personal');
  const [made, setMade] = useState<string>();
  const making = useChange((body: CreateApiKeyBody) => api.apiKeys.create(body), {
    old: ['keys', 'people'],
    onDone: ({ key }) => setMade(key),
  });
  const send = (form: HTMLFormElement) =>
    making.mutate({
      kind,
      name: textIn(form, 'name'),
      ...expiryIn(form),
      ...(kind === 'team' && {
        team_id: Number(textIn(form, 'team')),
        role: roleIn(textIn(form, 'role')),
      }),
    });
  if (made !== undefined) {
    return (
      <ShownOnce
        title="Your new API key"
        about="Copy it now. It will not be shown again, and is not stored in plain text."
        text={made}
        noun="the key"
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog
      title="New API key"
      about="Programs send it in X-User-Token or as Authorization: Bearer."
      button="Create key"
      isBusy={making.isPending}
      onClose={onClose}
      onSend={send}
    >
      <Field name="Name">
        <Input name="name" required maxLength={255} placeholder="Ticket bridge" autoComplete="off" />
      </Field>
      {isOwner && (
        <Field name="Type">
          <Select value={kind} onChange={({ target }) => setKind(target.value as CreateApiKeyBody['kind'])}>
            {KINDS.map(([key, words]) => (
              <option key={key} value={key}>
                {words}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {kind === 'team' && (
        <>
          <TeamField teams={teams} />
          <RoleField />
        </>
      )}
      <ExpiryField />
    </FormDialog>
  );
}
