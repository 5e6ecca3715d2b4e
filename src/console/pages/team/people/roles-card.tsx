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
import { JoinDialog } from './join-dialog.js';
import { isolated } from '../../../text/isolated.js';

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
              <Link href={`/team/teams/${team}`} className="line-name grow cut">
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
