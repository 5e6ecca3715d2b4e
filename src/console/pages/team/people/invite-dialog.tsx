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
import { InvitationLink } from './invitation-link.js';
import { roleIn } from '../role-words.js';
import { isolated } from '../../../text/isolated.js';

/** The choice to add the person to a team later. */
const NO_TEAM = 'none';

interface Invited {
  email: string;
  first_name: string;
  last_name: string;
  is_owner: boolean;
}

/** Makes the account of a person, gives it a role in a team, and gives them a link to set a password. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation();
  const { teams } = useSession();
  // A person without a team sees nothing, so the only one is chosen; of several, nobody knows which.
  const [team, setTeam] = useState(teams.length === 1 ? String(teams[0]?.id) : '');
  const [made, setMade] = useState<{ id: number; link: string }>();
  const inviting = useChange(
    async ({ role, ...person }: Invited & { role: string }) => {
      const { id } = await api.users.create(person);
      // The account stands from here on: what fails after it is told, and can be done on the person's page.
      const rest = async () => {
        if (team !== '' && team !== NO_TEAM) {
          await api.teams.members.create({ team_id: Number(team), user_id: id, role: roleIn(role) });
        }
        const passedOn = await sendInvitation(id);
        if (passedOn === null) say(`A link was mailed to ${isolated(person.email)}.`);
        return passedOn;
      };
      const link = await rest().catch((error: unknown) => {
        say(`The account was created, but: ${sentencesOf(error).join(' ')}`, 'bad');
        return null;
      });
      return { id, link };
    },
    {
      old: ['people'],
      onDone: ({ id, link }) => (link === null ? go(`/team/people/${id}`) : setMade({ id, link })),
    },
  );
  const send = (form: HTMLFormElement) =>
    inviting.mutate({
      email: textIn(form, 'email'),
      first_name: textIn(form, 'first'),
      last_name: textIn(form, 'last'),
      is_owner: textIn(form, 'owner') !== '',
      role: textIn(form, 'role'),
    });
  if (made !== undefined) {
    return <InvitationLink link={made.link} onClose={() => go(`/team/people/${made.id}`)} />;
  }
  return (
    <FormDialog
      title="Invite a user"
      about="The user gets a link to set a password, valid for three days: by mail, or from you if this server cannot mail."
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
        <Select required value={team} onChange={({ target }) => setTeam(target.value)}>
          {teams.length !== 1 && <option value="">Choose a team</option>}
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
          <option value={NO_TEAM}>No team: the user sees nothing yet</option>
        </Select>
      </Field>
      {team !== NO_TEAM && <RoleField />}
      <Tick name="owner">Owner: has full access to this tenant</Tick>
    </FormDialog>
  );
}
