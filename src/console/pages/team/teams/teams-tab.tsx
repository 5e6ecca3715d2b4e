import { Plus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../../api/console-api.js';
import { useChange } from '../../../api/use-change.js';
import { useIsOwner, useSession } from '../../../api/signed-in.js';
import { numberIn, useAddress } from '../../../ui/browser/use-address.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Pager } from '../../../ui/lists/pager.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import { ROLE_WORDS } from '../role-words.js';
import { useTeamList } from '../team-data.js';
import { TeamDialog } from './team-dialog.js';
import { OPENS_ROW } from '../../../ui/lists/open-rows.js';

/** The teams that the person may see; an owner makes others. */
export function TeamsTab() {
  const [query, change] = useAddress();
  const isOwner = useIsOwner();
  const { teams: own } = useSession();
  const [isNew, setNew] = useState(false);
  const teams = useTeamList(numberIn(query, 'page') ?? 1);
  const making = useChange((name: string) => api.teams.create({ name }), {
    did: 'Team created.',
    old: ['people', 'session'],
    onDone: () => setNew(false),
  });
  const roleIn = (id: number) => own.find((team) => team.id === id)?.role;
  return (
    <div className="team-part list-part">
      <div className="row row-wrap">
        <span className="faint grow">{teams.data && nounWords(teams.data.meta.count, 'team')}</span>
        {isOwner && (
          <Button look="main" onClick={() => setNew(true)}>
            <Plus aria-hidden="true" /> New team
          </Button>
        )}
      </div>
      <div className="table-frame">
        <Answer of={teams} lines={4}>
          {({ teams: all }) =>
            all.length === 0 ? (
              <Nothing title="You are not in a team.">
                <p>An owner or a team admin can add you to one.</p>
              </Nothing>
            ) : (
              <table className="table">
                <thead>
                  <tr>
                    <th className="fill">Team</th>
                    <th className="wide">Your role</th>
                    <th>Created</th>
                  </tr>
                </thead>
                <tbody>
                  {all.map(({ id, name, created_at: at }) => (
                    <tr key={id}>
                      <td className="fill cut">
                        <Link href={`/team/teams/${id}`} {...OPENS_ROW} className="line-name" title={name}>
                          {name}
                        </Link>
                      </td>
                      <td className="wide soft nowrap">{ROLE_WORDS[roleIn(id) ?? 'VIEWER']}</td>
                      <td>
                        <Time at={at} />
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            )
          }
        </Answer>
      </div>
      {teams.data && <Pager meta={teams.data.meta} onPage={(page) => change({ page })} />}
      {isNew && (
        <TeamDialog
          title="New team"
          button="Create"
          isBusy={making.isPending}
          onClose={() => setNew(false)}
          onSave={(name) => making.mutate(name)}
        />
      )}
    </div>
  );
}
