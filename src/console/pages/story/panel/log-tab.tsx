import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { Badge, type Tone } from '../../../ui/words/badge.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';

const SHOWN = 50;
const TONES: Record<string, Tone> = { error: 'bad', warn: 'warn', info: 'plain', debug: 'plain' };

/** The newest lines of the action's log. */
export function LogTab({ actionId }: { actionId: number }) {
  const lines = useQuery({
    queryKey: ['activity', 'log', actionId],
    queryFn: async () => (await api.listActionLogs({ id: actionId, per_page: SHOWN })).action_logs,
  });
  return (
    <Answer of={lines}>
      {(all) =>
        all.length === 0 ? (
          <Nothing title="Its log is empty." />
        ) : (
          <ul className="panel-items">
            {all.map(({ id, severity, message, created_at: at }) => (
              <li key={id}>
                <div className="row">
                  <Badge tone={TONES[severity] ?? 'plain'}>{severity}</Badge>
                  <span className="faint">
                    <Time at={at} />
                  </span>
                </div>
                <p className="wrap">{message}</p>
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}
