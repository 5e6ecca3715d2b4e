import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import type { TeamRole } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { keys } from '../../../api/keys.js';
import { Field, Input } from '../../../ui/form/field.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';
import { useLater } from '../../../ui/form/use-later.js';
import { RoleField } from '../role-field.js';
import { roleIn } from '../role-words.js';

/** Addresses to choose from. */
const HINTS = 10;

/** Adds a user of the tenant to a team, by the address. */
export function MemberDialog({ teamId, onClose }: { teamId: number; onClose: () => void }) {
  const [email, setEmail] = useState('');
  const known = useAddresses(useLater(email.trim()));
  const adding = useChange(
    (given: { email: string; role: TeamRole }) => api.teams.members.create({ team_id: teamId, ...given }),
    { did: 'User added to the team.', old: ['people'], onDone: onClose },
  );
  return (
    <FormDialog
      title="Add a member"
      about="The user needs an account. Owners can invite new users."
      button="Add"
      isBusy={adding.isPending}
      onClose={onClose}
      onSend={(form) => adding.mutate({ email: email.trim(), role: roleIn(textIn(form, 'role')) })}
    >
      <Field name="Email address">
        <Input
          type="email"
          required
          maxLength={255}
          list="known-addresses"
          autoComplete="off"
          value={email}
          onChange={({ target }) => setEmail(target.value)}
        />
      </Field>
      <datalist id="known-addresses">
        {known.map((address) => (
          <option key={address} value={address}>
            {address}
          </option>
        ))}
      </datalist>
      <RoleField usual="EDITOR" />
    </FormDialog>
  );
}

function useAddresses(search: string): string[] {
  const { data } = useQuery({
    queryKey: keys.people.addresses(search),
    enabled: search.length > 1,
    queryFn: async () => (await api.users.list({ search, per_page: HINTS })).users,
    placeholderData: (previous) => previous,
  });
  return (data ?? [])
    .filter(({ is_service_account: isKey, active }) => !isKey && active)
    .map((user) => user.email);
}
