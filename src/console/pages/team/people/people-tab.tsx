import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AdminUser } from '../../../../../clients/typescript/api.js';
import { useIsOwner } from '../../../api/signed-in.js';
import { numberIn, useAddress } from '../../../ui/browser/use-address.js';
import { Badge } from '../../../ui/words/badge.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Pager } from '../../../ui/lists/pager.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import { ROLE_WORDS } from '../role-words.js';
import { nameOf, usePeople } from '../team-data.js';
import { InviteDialog } from './invite-dialog.js';
import { isolated } from '../../../text/isolated.js';
import { OPENS_ROW } from '../../../ui/lists/open-rows.js';

/** The people of the tenant that the person may see; an owner invites others. */
export function PeopleTab() {
  const [query, change] = useAddress();
  const isOwner = useIsOwner();
  const [isInviting, setInviting] = useState(false);
  const people = usePeople(numberIn(query, 'page') ?? 1);
  return (
    <div className="team-part list-part">
      <div className="row row-wrap">
        <span className="faint grow">
          {people.data && nounWords(people.data.meta.count, 'user')}
          {!isOwner && ' that share a team with you'}
        </span>
        {isOwner && (
          <Button look="main" onClick={() => setInviting(true)}>
            <UserPlus aria-hidden="true" /> Invite a user
          </Button>
        )}
      </div>
      <div className="table-frame">
        <Answer of={people} lines={6}>
          {({ 'admin/users': users }) =>
            users.length === 0 ? <Nothing title="No users." /> : <PeopleTable people={users} />
          }
        </Answer>
      </div>
      {people.data && <Pager meta={people.data.meta} onPage={(page) => change({ page })} />}
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </div>
  );
}

function PeopleTable({ people }: { people: AdminUser[] }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">User</th>
          <th className="wide">Teams</th>
          <th>Account</th>
          <th className="wide">Last seen</th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <tr key={person.id}>
            <td className="fill">
              <div className="cut">
                <Link
                  href={`/team/people/${person.id}`}
                  {...OPENS_ROW}
                  className="line-name"
                  title={person.email}
                >
                  {nameOf(person)}
                </Link>
              </div>
              <span className="cut soft person-mail">{person.email}</span>
            </td>
            <td className="wide soft short" title={teamWords(person)}>
              {teamWords(person)}
            </td>
            <td>
              <PersonBadges person={person} />
            </td>
            <td className="wide">
              <Time at={person.last_seen} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Tells what a person is: an owner, an account of a key, or no longer active. */
export function PersonBadges({
  person: { admin, is_active: isActive, is_service_account: isKey },
}: {
  person: AdminUser;
}) {
  return (
    <>
      {admin && <Badge tone="info">owner</Badge>} {isKey && <Badge>API key</Badge>}{' '}
      {!isActive && <Badge tone="warn">deactivated</Badge>}
    </>
  );
}

const MOST_TEAMS = 3;

function teamWords({ team_memberships: teams = [] }: AdminUser): string {
  const named = teams
    .slice(0, MOST_TEAMS)
    .map(({ team_name: name, role }) => `${isolated(name)} (${ROLE_WORDS[role]})`);
  const rest = teams.length - MOST_TEAMS;
  return [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(', ') || '–';
}
