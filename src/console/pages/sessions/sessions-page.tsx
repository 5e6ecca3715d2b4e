import '../../ui/table.css';
import './sessions.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { endSession, listSessions } from '../../api/session-api.js';
import { useTitle } from '../../app/use-title.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Answer } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { browserIn } from './browser-name.js';
import { PasswordCard } from './password-card.js';

/** The person's own sessions: which browsers are signed in, each with a way to end it. */
export function SessionsPage() {
  useTitle('Sessions');
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: listSessions });
  const client = useQueryClient();
  const ending = useMutation({
    mutationFn: endSession,
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
  return (
    <div className="page">
      <header className="page-head">
        <h1>Your sessions</h1>
      </header>
      <div className="table-frame">
        <Answer of={sessions}>
          {({ sessions: all }) => (
            <table className="table">
              <thead>
                <tr>
                  <th className="fill">Browser</th>
                  <th className="wide">Address</th>
                  <th>Signed in</th>
                  <th className="wide">Last seen</th>
                  <th>
                    <span className="unseen">What to do</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((session) => (
                  <tr key={session.id}>
                    <td className="fill cut" title={session.user_agent ?? undefined}>
                      {browserIn(session.user_agent)} {session.current && <Badge tone="info">this one</Badge>}
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
                        <Button
                          look="danger"
                          disabled={ending.isPending}
                          onClick={() => ending.mutate(session.id)}
                        >
                          End
                        </Button>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </Answer>
      </div>
      <PasswordCard />
    </div>
  );
}
