import '../../ui/lists/table.css';
import { useQuery } from '@tanstack/react-query';
import { endSession, listSessions, type OtherSession } from '../../api/session-api.js';
import { useChange } from '../../api/use-change.js';
import { keys } from '../../api/keys.js';
import { Badge } from '../../ui/words/badge.js';
import { Button } from '../../ui/form/button.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { browserIn } from './browser-name.js';

/** Returns the sessions of the signed-in person, or of a user of an owner's tenant. */
export const useSessions = (userId?: number) =>
  useQuery({ queryKey: keys.sessions(userId), queryFn: () => listSessions(userId) });

/** The sessions of the signed-in person, or of a user of an owner's tenant, each with a way to end it. */
export function SessionTable({ userId }: { userId?: number }) {
  const sessions = useSessions(userId);
  const ending = useChange(endSession, { old: ['sessions'] });
  return (
    <div className="table-frame">
      <Answer of={sessions}>
        {({ sessions: all }) =>
          all.length === 0 ? (
            <Nothing title="No active sessions." />
          ) : (
            <table className="table">
              <thead>
                <tr>
                  <th className="fill">Browser</th>
                  <th className="wide">IP address</th>
                  <th>Signed in</th>
                  <th className="wide">Last seen</th>
                  <th>
                    <span className="unseen">Controls</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((session) => (
                  <SessionRow
                    key={session.id}
                    session={session}
                    isBusy={ending.isPending}
                    onEnd={() => ending.mutate(session.id)}
                  />
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </div>
  );
}

function SessionRow(props: { session: OtherSession; isBusy: boolean; onEnd: () => void }) {
  const { session, isBusy, onEnd } = props;
  return (
    <tr>
      <td className="fill wrap" title={session.user_agent ?? undefined}>
        {browserIn(session.user_agent)} {session.current && <Badge tone="info">current</Badge>}
      </td>
      <td className="wide">{session.address ?? '–'}</td>
      <td>
        <Time at={session.created_at} />
      </td>
      <td className="wide">
        <Time at={session.last_seen_at} />
      </td>
      <td>
        {!session.current && (
          <Button look="danger" disabled={isBusy} onClick={onEnd}>
            End
          </Button>
        )}
      </td>
    </tr>
  );
}
