import { useState } from 'react';
import { useLocation } from 'wouter';
import { api } from '../../../api/console-api.js';
import { sentencesOf } from '../../../text/problems.js';
import { sendInvitation } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { useSession } from '../../../api/signed-in.js';
import { Field, Input, Select, Tick } from '../../../ui/form/field.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';
import { say } from '../../../ui/overlay/toasts.js';
import { RoleField } from '../role-field.js';
import { roleIn } from '../role-words.js';
import { isolated } from '../../../text/isolated.js';

interface Invited {
  email: string;
  first_name: string;
  last_name: string;
  is_owner: boolean;
}

/** Makes the account of a person, gives it a role in a team, and mails it a link to set a password. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const { teams } = useSession();
  const [team, setTeam] = useState('');
  const inviting = useChange(
    async ({ role, ...person }: Invited & { role: string }) => {
      const { id } = await api.users.create(person);
      // The account stands from here on: what fails after it is told, and can be done on the person's page.
      const rest = async () => {
        if (team !== '') {
          await api.teams.members.create({ team_id: Number(team), user_id: id, role: roleIn(role) });
        }
        await sendInvitation(id);
        say(`${isolated(person.email)} was invited.`);
      };
      await rest().catch((error: unknown) =>
        say(`The account was created, but: ${sentencesOf(error).join(' ')}`, 'bad'),
      );
      return id;
    },
    { old: ['people'], onDone: (id) => go(`/team/people/${id}`) },
  );
  const send = (form: HTMLFormElement) =>
    inviting.mutate({
      email: textIn(form, 'email'),
      first_name: textIn(form, 'first'),
      last_name: textIn(form, 'last'),
      is_owner: textIn(form, 'owner') !== '',
      role: textIn(form, 'role'),
    });
  return (
    <FormDialog
      title="Invite a user"
      about="The user gets a mail with a link to set a password. The link expires in three days."
      button="Invite"
      isBusy={inviting.isPending}
      onClose={onClose}
      onSend={send}
    >
      <Field name="Email address">
        <Input name="email" type="email" required maxLength={255} autoComplete="off" />
      </Field>
      <Field name="First name">
        <Input name="first" maxLength={255} autoComplete="off" />
      </Field>
      <Field name="Last name">
        <Input name="last" maxLength={255} autoComplete="off" />
      </Field>
      <Field name="Team">
        <Select value={team} onChange={({ target }) => setTeam(target.value)}>
          <option value="">None yet</option>
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {team !== '' && <RoleField usual="EDITOR" />}
      <Tick name="owner">Owner: has full access to this tenant</Tick>
    </FormDialog>
  );
}
