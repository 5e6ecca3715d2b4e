import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { useTeamsWith } from '../../../api/signed-in.js';
import { keys, ofKind } from '../../../api/keys.js';
import { useMutation } from '../../../api/use-mutation.js';
import { Button } from '../../../ui/form/button.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import { say } from '../../../ui/overlay/toasts.js';

const SHOWN = 30;

/** The dead letters of this action: why they failed, and another try. */
export function DeadLetterTab({ actionId }: { actionId: number }) {
  const client = useQueryClient();
  const writable = new Set(useTeamsWith('write').map(({ id }) => id));
  const letters = useQuery({
    queryKey: keys.letters.ofAction(actionId),
    queryFn: () => api.deadLetters.list({ action_id: actionId, per_page: SHOWN }),
  });
  const retrying = useMutation({
    mutationFn: (id: number) => api.deadLetters.retry({ id }),
    onSuccess: () => say('Retry started.'),
    onSettled: () => client.invalidateQueries({ queryKey: ofKind('dead-letters') }),
  });
  return (
    <Answer of={letters}>
      {({ dead_letters: all, meta }) =>
        all.length === 0 ? (
          <Nothing title="No dead letters." />
        ) : (
          <ul className="panel-items">
            {meta.count > all.length && (
              <li className="faint">The newest of {nounWords(meta.count, 'dead letter')}</li>
            )}
            {all.map(({ id, team_id: team, error, cause, attempts, failed_at: at, event_id: event }) => (
              <li key={id}>
                <div className="row">
                  <span className="grow faint">
                    <Time at={at} /> · {nounWords(attempts, 'attempt')}
                    {event !== null && ` · event ${event}`}
                  </span>
                  {writable.has(team) && (
                    <Button disabled={retrying.isPending} onClick={() => retrying.mutate(id)}>
                      Retry
                    </Button>
                  )}
                </div>
                <p className="wrap bad" title={error ?? undefined}>
                  {cause ?? error}
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}
