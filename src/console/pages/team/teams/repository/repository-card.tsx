import { GitBranch, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Team, TeamRepository } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { keys } from '../../../../api/keys.js';
import { useChange } from '../../../../api/use-change.js';
import { isAbsent } from '../../../../text/problems.js';
import { Card } from '../../../../ui/card.js';
import { Button } from '../../../../ui/form/button.js';
import { Question } from '../../../../ui/overlay/question.js';
import { Answer, Nothing } from '../../../../ui/states.js';
import { nounWords } from '../../../../ui/words/figures.js';
import { Time } from '../../../../ui/words/time.js';
import { ChangeLines } from './change-lines.js';
import { RepositoryDialog } from './repository-dialog.js';
import { SyncDialog } from './sync-dialog.js';

/** No live event tells of syncs. */
const AGAIN_MS = 15_000;

/** The git repository of a team: how the last sync ended, what waits, and its settings. */
export function RepositoryCard({ team }: { team: Team }) {
  const [open, setOpen] = useState<'settings' | 'sync' | 'remove'>();
  const close = () => setOpen(undefined);
  const repository = useQuery({
    queryKey: keys.people.repository(team.id),
    refetchInterval: AGAIN_MS,
    queryFn: () =>
      api.teams.repository.get({ id: team.id }).catch((error: unknown) => {
        if (isAbsent(error)) return null;
        throw error;
      }),
  });
  const removing = useChange(() => api.teams.repository.delete({ id: team.id }), {
    did: 'Repository removed. Stories and files stay.',
    old: ['people'],
    onDone: close,
  });
  const found = repository.data;
  return (
    <Card
      title="Git repository"
      aside={
        found !== undefined && (
          <span className="row row-wrap">
            {found !== null && (
              <>
                <Button onClick={() => setOpen('sync')}>
                  <RefreshCw aria-hidden="true" /> Sync now
                </Button>
                <Button onClick={() => setOpen('remove')}>Remove</Button>
              </>
            )}
            <Button onClick={() => setOpen('settings')}>{found === null ? 'Connect' : 'Settings'}</Button>
          </span>
        )
      }
    >
      <Answer of={repository} lines={2}>
        {(known) =>
          known === null ? (
            <Nothing title="No repository." icon={<GitBranch aria-hidden="true" />}>
              <p>Keep the stories of the team as files in git, and take over changes from there.</p>
            </Nothing>
          ) : (
            <>
              <RepositoryState repository={known} />
              <ChangeLines changes={known.changes.filter(({ state }) => state !== 'done')} />
            </>
          )
        }
      </Answer>
      {open === 'settings' && (
        <RepositoryDialog team={team} repository={found ?? undefined} onClose={close} />
      )}
      {open === 'sync' && <SyncDialog teamId={team.id} onClose={close} />}
      {open === 'remove' && (
        <Question
          title="Remove the repository?"
          about="Stories and files stay as they are, and are not synced any more."
          button="Remove"
          isBusy={removing.isPending}
          onClose={close}
          onYes={() => removing.mutate(undefined)}
        />
      )}
    </Card>
  );
}

const DIRECTIONS = { pull: 'from the repository', push: 'into the repository', both: 'in both directions' };

/** Shows where the stories are synced to, and how the last sync ended. */
function RepositoryState({ repository }: { repository: TeamRepository }) {
  const { url, branch, folder, direction, error, commit, left } = repository;
  const { ended_at: endedAt, next_at: nextAt } = repository;
  return (
    <div className="team-repository stack">
      <p className="wrap">
        <code>{url}</code>, branch <code>{branch}</code>
        {folder !== '' && (
          <>
            , folder <code>{folder}</code>
          </>
        )}
        <span className="soft">, {DIRECTIONS[direction]}</span>
      </p>
      <p className="soft">
        {endedAt === null ? (
          'Not synced yet.'
        ) : (
          <>
            Last sync <Time at={endedAt} />
            {commit !== null && (
              <>
                {' at '}
                <code>{commit.slice(0, 10)}</code>
              </>
            )}
            {left > 0 ? (
              `. ${nounWords(left, 'story', 'stories')} left: the next sync goes on.`
            ) : (
              <>
                {', next '}
                <Time at={nextAt} />
              </>
            )}
          </>
        )}
      </p>
      {error !== null && (
        <p className="wrap bad" role="alert">
          The last sync failed: {error}
        </p>
      )}
    </div>
  );
}
