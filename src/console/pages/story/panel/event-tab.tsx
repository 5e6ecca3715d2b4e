import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { Json } from '../../../ui/json.js';
import { Answer, Nothing } from '../../../ui/states.js';
import { Time } from '../../../ui/words/time.js';
import type { Place } from '../story-data.js';
import { LeftOutPayload } from '../../event/left-out-payload.js';

const SHOWN = 20;

/** The newest events that the action emitted, each with its own output. */
export function EventTab({ actionId, place }: { actionId: number; place: Place }) {
  const events = useQuery({
    queryKey: keys.place(place).events(actionId),
    queryFn: async () =>
      (
        await api.actions.events.list({
          id: actionId,
          per_page: SHOWN,
          exclude_previous_event_payloads: true,
        })
      ).events,
  });
  return (
    <Answer of={events}>
      {(all) =>
        all.length === 0 ? (
          <Nothing title="No events, or they have expired." />
        ) : (
          <ul className="panel-items">
            {all.map(({ id, created_at: at, story_run_guid: run, payload, incomplete }) => (
              <li key={id}>
                <details>
                  <summary>
                    Event {id} · <Time at={at} />
                  </summary>
                  <p className="faint wrap">Run {run}</p>
                  {incomplete ? (
                    <LeftOutPayload id={id} draw={(loaded) => <Json value={loaded} />} />
                  ) : (
                    <Json value={payload} />
                  )}
                </details>
              </li>
            ))}
          </ul>
        )
      }
    </Answer>
  );
}
