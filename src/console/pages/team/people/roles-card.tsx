import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AdminUser } from '../../../../../clients/typescript/api.js';
import { useTeamsWith } from '../../../api/signed-in.js';
import { Button } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { Nothing } from '../../../ui/states.js';
import { MembershipControls } from '../membership-controls.js';
import { nameOf } from '../team-data.js';
import { api } from '../../../api/console-api.js';
import type { Session, TeamRole } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { FormDialog } from '../../../ui/overlay/form-dialog.js';
import { textIn } from '../../../ui/form/form-text.js';
import { RoleField } from '../role-field.js';
import { roleIn } from '../role-words.js';
import { TeamField } from '../team-field.js';
import { isolated } from '../../../text/isolated.js';
import { OPENS_ROW } from '../../../ui/lists/open-rows.js';

/** The roles of a person in teams. */
export function RolesCard({ person }: { person: AdminUser }) {
  const [isOpen, setOpen] = useState(false);
  const { team_memberships: memberships = [] } = person;
  const managed = useTeamsWith('manage');
  const joinable = managed.filter(({ id }) => memberships.every(({ team_id: team }) => team !== id));
  return (
    <Card
      title="Roles in teams"
      aside={
        joinable.length > 0 &&
        !person.is_service_account && (
          <Button onClick={() => setOpen(true)}>
            <Plus aria-hidden="true" /> Add to a team
          </Button>
        )
      }
    >
      {memberships.length === 0 ? (
        <Nothing title="No team roles.">
          {person.admin && <p>As an owner, this user has full access anyway.</p>}
        </Nothing>
      ) : (
        <ul className="lines">
          {memberships.map(({ team_id: team, team_name: name, role }) => (
            <li key={team} className="line row row-wrap">
              <Link href={`/team/teams/${team}`} className="line-name grow cut" {...OPENS_ROW}>
                {name}
              </Link>
              <MembershipControls
                teamId={team}
                userId={person.id}
                role={role}
                what={`${isolated(nameOf(person))} in ${name}`}
                mayEdit={!person.is_service_account && managed.some(({ id }) => id === team)}
              />
            </li>
          ))}
        </ul>
      )}
      {isOpen && <JoinDialog userId={person.id} teams={joinable} onClose={() => setOpen(false)} />}
    </Card>
  );
}

interface JoinDialogProps {
  userId: number;
  teams: Session['teams'];
  onClose: () => void;
}

/** Gives a person a role in another team. */
function JoinDialog({ userId, teams, onClose }: JoinDialogProps) {
  const adding = useChange(
    (given: { team_id: number; role: TeamRole }) => api.teams.members.create({ ...given, user_id: userId }),
    { did: 'User added to the team.', old: ['people'], onDone: onClose },
  );
  return (
    <FormDialog
      title="Add to a team"
      button="Add"
      isBusy={adding.isPending}
      onClose={onClose}
      onSend={(form) =>
        adding.mutate({ team_id: Number(textIn(form, 'team')), role: roleIn(textIn(form, 'role')) })
      }
    >
      <TeamField teams={teams} />
      <RoleField usual="EDITOR" />
    </FormDialog>
  );
}
