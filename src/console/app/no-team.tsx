import { useQueryClient } from '@tanstack/react-query';
import { UsersRound } from 'lucide-react';
import { keys } from '../api/keys.js';
import { useSession } from '../api/signed-in.js';
import { Button } from '../ui/form/button.js';
import { Nothing } from '../ui/states.js';
import { useTitle } from '../ui/browser/use-title.js';

/** Tells a person who is in no team whom to ask: stories, cases and records belong to teams, so every page would be empty. */
export function NoTeam() {
  useTitle('No team yet');
  const { owners, tenant } = useSession();
  const client = useQueryClient();
  return (
    <div className="page">
      <h1 className="unseen">No team yet</h1>
      <Nothing title="You are not in a team yet." icon={<UsersRound aria-hidden="true" />}>
        <p className="wrap">
          Stories, runs and cases of <bdi>{tenant.name}</bdi> belong to teams. Ask an owner to add you to one:
        </p>
        {owners.map(({ name, email }) => (
          <p key={email} className="wrap">
            {name !== email && <bdi>{name} </bdi>}
            <a href={`mailto:${email}`}>{email}</a>
          </p>
        ))}
        <Button look="main" onClick={() => void client.invalidateQueries({ queryKey: keys.session })}>
          Check again
        </Button>
      </Nothing>
    </div>
  );
}
