import './event.css';
import { useMemo } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import type { Event } from '../../../../clients/typescript/api.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Card } from '../../ui/card.js';
import { nounWords } from '../../ui/words/figures.js';
import { Failed, Loading, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';
import { useEvent } from '../run/run-data.js';
import { ChangeTable } from './change-table.js';
import { changesOf } from './payload-changes.js';

const MOST_SHOWN = 300;

/** Two events beside each other, the older one as before: the paths at which what their actions put out differs. */
export function ComparePage() {
  const { id, other } = useParams<{ id: string; other: string }>();
  const [, go] = useLocation();
  useTitle('Compare events');
  const one = useEvent(Number(id), 'own');
  const another = useEvent(Number(other), 'own');
  const error = one.error ?? another.error;
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="grow">Compare events</h1>
        <Button onClick={() => go(`/events/${other}`)}>Done</Button>
      </header>
      {one.data === undefined || another.data === undefined ? (
        <div className="card">
          {error ? <Failed error={error} retry={() => [one.refetch(), another.refetch()]} /> : <Loading />}
        </div>
      ) : (
        <Compared {...inTime(one.data, another.data)} />
      )}
    </div>
  );
}

/** Returns two events by their time; those of one second by their ids, which ascend. */
function inTime(one: Event, other: Event): { before: Event; after: Event } {
  const isOlder = (Date.parse(one.created_at) - Date.parse(other.created_at) || one.id - other.id) <= 0;
  return isOlder ? { before: one, after: other } : { before: other, after: one };
}

function Compared({ before, after }: { before: Event; after: Event }) {
  const { changes, more } = useMemo(() => changesOf(before.payload, after.payload), [before, after]);
  return (
    <>
      <div className="compared">
        <Side name="Before" event={before} />
        <Side name="After" event={after} />
      </div>
      {changes.length === 0 ? (
        <Nothing title="Both events have the same output." />
      ) : (
        <>
          <p className="soft">
            {more ? 'More than ' : ''}
            {nounWords(changes.length, 'place')} {changes.length === 1 ? 'differs' : 'differ'}.
            {changes.length > MOST_SHOWN && ` The first ${MOST_SHOWN} are shown.`}
          </p>
          <ChangeTable
            changes={changes.slice(0, MOST_SHOWN)}
            before={`Event ${before.id}`}
            after={`Event ${after.id}`}
          />
        </>
      )}
    </>
  );
}

function Side({ name, event }: { name: string; event: Event }) {
  return (
    <Card title={name}>
      <div className="compared-side">
        <Link href={`/events/${event.id}`} className="cut">
          Event {event.id}, {event.agent_name ?? 'deleted action'}
        </Link>
        <span className="faint">
          <Time at={event.created_at} />
        </span>
      </div>
    </Card>
  );
}
