import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RepositorySyncResult } from '../../../../../../clients/typescript/api.js';
import { api } from '../../../../api/console-api.js';
import { keys } from '../../../../api/keys.js';
import { LONG_CALL } from '../../../../api/long-calls.js';
import { useChange } from '../../../../api/use-change.js';
import { Button } from '../../../../ui/form/button.js';
import { Tick } from '../../../../ui/form/field.js';
import { Dialog } from '../../../../ui/overlay/dialog.js';
import { Answer, Nothing } from '../../../../ui/states.js';
import { nounWords } from '../../../../ui/words/figures.js';
import { ChangeLines } from './change-lines.js';

/** Says what a sync would do, and does it. */
export function SyncDialog({ teamId, onClose }: { teamId: number; onClose: () => void }) {
  const [done, setDone] = useState<RepositorySyncResult>();
  const [restores, setRestores] = useState(false);
  const planned = useQuery({
    queryKey: keys.people.plannedSync(teamId),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: () => api.teams.repository.sync({ id: teamId, dry_run: true }, LONG_CALL.sync),
  });
  const syncing = useChange(
    () => api.teams.repository.sync({ id: teamId, restore_deleted: restores }, LONG_CALL.sync),
    { old: ['people', 'stories', 'story'], onDone: setDone },
  );
  const plan = planned.data;
  const error = (done ?? plan)?.error ?? null;
  const hasFailed = error !== null;
  const isDeleted = plan?.changes.some(({ kind, direction }) => kind === 'delete' && direction === 'pull');
  return (
    <Dialog title="Sync now" about="Nothing is written before you sync." wide onClose={onClose}>
      <div className="dialog-body stack">
        {done === undefined ? (
          <Answer of={planned} lines={4}>
            {(found) => <SyncOutcome result={found} />}
          </Answer>
        ) : (
          <SyncOutcome result={done} />
        )}
        {isDeleted === true && done === undefined && (
          <Tick checked={restores} onChange={({ target }) => setRestores(target.checked)}>
            Write files again that were deleted in the repository
          </Tick>
        )}
      </div>
      <footer className="dialog-foot">
        <Button onClick={onClose}>Close</Button>
        {hasFailed && (
          <Button
            look="main"
            disabled={syncing.isPending || planned.isFetching}
            onClick={() => (done === undefined ? void planned.refetch() : syncing.mutate(undefined))}
          >
            Retry
          </Button>
        )}
        {done === undefined && !hasFailed && (
          <Button
            look="main"
            disabled={syncing.isPending || plan === undefined}
            onClick={() => syncing.mutate(undefined)}
          >
            Sync
          </Button>
        )}
      </footer>
    </Dialog>
  );
}

/** Shows what a sync did or would do. */
function SyncOutcome({ result }: { result: RepositorySyncResult }) {
  const { error, changes, left, dry_run: isPlan } = result;
  if (error === null && changes.length === 0)
    return <Nothing title={isPlan ? 'Both sides are the same.' : 'Synced. Both sides are the same.'} />;
  return (
    <>
      {error !== null && (
        <p className="wrap bad" role="alert">
          {error}
        </p>
      )}
      <ChangeLines changes={changes} />
      {left > 0 && (
        <p className="soft">{nounWords(left, 'story', 'stories')} left: the next sync goes on with them.</p>
      )}
    </>
  );
}
