import '../../../ui/lists/lines.css';
import '../team.css';
import { useParams } from 'wouter';
import type { AdminUser } from '../../../../../clients/typescript/api.js';
import { endSessionsOf } from '../../../api/session-api.js';
import { useChange } from '../../../api/use-change.js';
import { useIsOwner, useSession } from '../../../api/signed-in.js';
import { useTitle } from '../../../ui/browser/use-title.js';
import { BackLink } from '../../../ui/back-link.js';
import { Button } from '../../../ui/form/button.js';
import { Card } from '../../../ui/card.js';
import { nounWords } from '../../../ui/words/figures.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { say } from '../../../ui/overlay/toasts.js';
import { SessionTable, useSessions } from '../../sessions/session-table.js';
import { nameOf, usePerson } from '../team-data.js';
import { PersonHead } from './person-head.js';
import { RolesCard } from './roles-card.js';

/** One person: rights, roles in teams, and for owners where they are signed in. */
export function PersonPage() {
  const id = Number(useParams<{ id: string }>().id);
  const person = usePerson(id);
  useTitle(person.data ? nameOf(person.data) : 'User');
  return (
    <div className="page">
      <BackLink href="/team">All users</BackLink>
      <Answer of={person} lines={6}>
        {(found) => (found === null ? <Nothing title="User not found." /> : <PersonView person={found} />)}
      </Answer>
    </div>
  );
}

function PersonView({ person }: { person: AdminUser }) {
  const isOwner = useIsOwner();
  const isSelf = useSession().user.id === person.id;
  return (
    <>
      <PersonHead person={person} />
      <RolesCard person={person} />
      {(isOwner || isSelf) && !person.is_service_account && (
        <SessionsCard userId={person.id} isSelf={isSelf} />
      )}
    </>
  );
}

/** Where a person is signed in, and what ends all of it. */
export function SessionsCard({ userId, isSelf }: { userId: number; isSelf: boolean }) {
  const ending = useChange(endSessionsOf, {
    old: ['sessions'],
    onDone: ({ ended }) => say(`${nounWords(ended, 'session')} ended.`),
  });
  // The session that reads the page stays. Sessions whose list cannot be read can still be ended.
  const { data } = useSessions(userId);
  const hasOthers = data === undefined || data.sessions.some(({ current }) => !current);
  return (
    <Card
      title="Sessions"
      aside={
        <Button look="danger" disabled={!hasOthers || ending.isPending} onClick={() => ending.mutate(userId)}>
          {isSelf ? 'End all others' : 'End all'}
        </Button>
      }
    >
      <SessionTable userId={userId} />
    </Card>
  );
}
