import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Event } from '../../../../clients/typescript/api.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { isAbsent } from '../../text/problems.js';
import { nounWords } from '../../ui/words/figures.js';
import { Answer, Nothing } from '../../ui/states.js';
import { Time } from '../../ui/words/time.js';

/** The nearest events are enough to go on from one to the next. */
const MOST = 30;

/** The events that led to an event, the nearest first. */
export function Lineage({ event }: { event: Event }) {
  const ids = event.previous_events_ids.slice(-MOST);
  const further = event.previous_events_ids.length - ids.length;
  const events = useQuery({
    queryKey: keys.event(event.id).lineage,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => Promise.all(ids.toReversed().map(readEvent)),
  });
  if (ids.length === 0) return <Nothing title="None: this event started its run." />;
  return (
    <Answer of={events}>
      {(all) => (
        <ol className="panel-items">
          {all.map(({ id, event: found }) => (
            <li key={id} className="row">
              {found === undefined ? (
                <span className="faint">Event {id} is deleted.</span>
              ) : (
                <>
                  <Link href={`/events/${id}`} className="cut">
                    {found.agent_name ?? 'Deleted action'}
                  </Link>
                  <span className="faint grow">event {id}</span>
                  <Time at={found.created_at} />
                </>
              )}
            </li>
          ))}
          {further > 0 && <li className="faint">and {nounWords(further, 'event')} before them</li>}
        </ol>
      )}
    </Answer>
  );
}

/** Retention deletes the events of a run one after the other. */
async function readEvent(id: number): Promise<{ id: number; event: Event | undefined }> {
  try {
    return { id, event: await api.events.get({ id, exclude_previous_event_payloads: true }) };
  } catch (error) {
    if (isAbsent(error)) return { id, event: undefined };
    throw error;
  }
}
