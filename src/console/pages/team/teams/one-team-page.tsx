import '../../../ui/lists/lines.css';
import '../../../ui/lists/table.css';
import '../team.css';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams } from 'wouter';
import type { Team, TeamMember } from '../../../../../clients/typescript/api.js';
import { useMay } from '../../../api/signed-in.js';
import { numberIn, useAddress } from '../../../ui/browser/use-address.js';
import { useTitle } from '../../../ui/browser/use-title.js';
import { BackLink } from '../../../ui/back-link.js';
import { Badge } from '../../../ui/words/badge.js';
import { Button } from '../../../ui/form/button.js';
import { Pager } from '../../../ui/lists/pager.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import { MembershipControls } from '../membership-controls.js';
import { nameOf, useMembers, useTeam } from '../team-data.js';
import { MemberDialog } from './member-dialog.js';
import { RepositoryCard } from './repository/repository-card.js';
import { TeamHead } from './team-head.js';
import { isolated } from '../../../text/isolated.js';
import { OPENS_ROW } from '../../../ui/lists/open-rows.js';

/** One team and its members. */
export function OneTeamPage() {
  const id = Number(useParams<{ id: string }>().id);
  const team = useTeam(id);
  useTitle(team.data?.name ?? 'Team');
  return (
    <div className="page">
      <BackLink href="/team?tab=teams">All teams</BackLink>
      <Answer of={team} lines={6}>
        {(found) => <TeamView team={found} />}
      </Answer>
    </div>
  );
}

function TeamView({ team }: { team: Team }) {
  const [query, change] = useAddress();
  const [isAdding, setAdding] = useState(false);
  const mayEdit = useMay('manage', team.id);
  const members = useMembers(team.id, numberIn(query, 'page') ?? 1);
  return (
    <>
      <TeamHead team={team} />
      {mayEdit && (
        <div className="row row-end">
          <Button look="main" onClick={() => setAdding(true)}>
            <UserPlus aria-hidden="true" /> Add a member
          </Button>
        </div>
      )}
      <div className="table-frame">
        <Answer of={members} lines={4}>
          {({ members: all }) =>
            all.length === 0 ? (
              <Nothing title="This team has no members.">
                <p>Tenant owners can still view it.</p>
              </Nothing>
            ) : (
              <MemberTable team={team} members={all} mayEdit={mayEdit} />
            )
          }
        </Answer>
      </div>
      {members.data && <Pager meta={members.data.meta} onPage={(page) => change({ page })} />}
      {mayEdit && <RepositoryCard team={team} />}
      {isAdding && <MemberDialog teamId={team.id} onClose={() => setAdding(false)} />}
    </>
  );
}

function MemberTable({ team, members, mayEdit }: { team: Team; members: TeamMember[]; mayEdit: boolean }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Member</th>
          <th className="wide">Last seen</th>
          <th>Role</th>
        </tr>
      </thead>
      <tbody>
        {members.map((member) => (
          <tr key={member.id}>
            <td className="fill">
              <div className="row">
                <Link
                  href={`/team/people/${member.id}`}
                  {...OPENS_ROW}
                  className="line-name cut"
                  title={member.email}
                >
                  {nameOf(member)}
                </Link>
                {member.is_admin && <Badge tone="info">owner</Badge>}
                {member.is_service_account && <Badge>API key</Badge>}
              </div>
              <span className="cut soft person-mail">{member.email}</span>
            </td>
            <td className="wide">
              <Time at={member.last_seen} />
            </td>
            <td>
              <MembershipControls
                teamId={team.id}
                userId={member.id}
                role={member.role}
                what={`${isolated(nameOf(member))} in ${team.name}`}
                mayEdit={mayEdit && !member.is_service_account}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
