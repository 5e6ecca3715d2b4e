import { useQuery } from '@tanstack/react-query';
import type { Action } from '../../../../../clients/typescript/api.js';
import { api } from '../../../api/console-api.js';
import { keys } from '../../../api/keys.js';
import { JsonView } from '../../../ui/json-view/json-view.js';
import { Answer, Nothing } from '../../../ui/states.js';
import type { Place } from '../story-data.js';
import { type Seen, seenOf, upstreamOf } from './seen-values.js';
import { isolated } from '../../../text/isolated.js';

/** Sources whose last event is read; more of them rarely say anything new. */
const MOST_SOURCES = 8;

/** The names for templates of an action: each key of the actions before it, with its last value. */
export function SeesTab(props: { action: Action; others: readonly Action[]; place: Place }) {
  const { action, others, place } = props;
  const sources = action.sources.slice(0, MOST_SOURCES);
  const seen = useQuery({
    queryKey: keys.place(place).seen(action.id, sources.join()),
    queryFn: async () => {
      const found = await Promise.all(
        sources.map((id) =>
          api.actions.events.list({ id, per_page: 1, exclude_previous_event_payloads: false }),
        ),
      );
      return seenOf(
        found.flatMap(({ events }) => events),
        upstreamOf(action, others),
      );
    },
  });
  if (sources.length === 0) {
    return (
      <Nothing title="No upstream actions.">
        <p>It starts runs, so it only gets the input of the run.</p>
      </Nothing>
    );
  }
  return <Answer of={seen}>{(found) => <SeenValues seen={found} />}</Answer>;
}

function SeenValues({ seen: { values, missing } }: { seen: Seen }) {
  return (
    <>
      {Object.keys(values).length === 0 ? (
        <Nothing title="Upstream actions have not emitted events yet.">
          <p>After the first event, its values appear here and can be copied as a formula or Liquid.</p>
        </Nothing>
      ) : (
        <JsonView value={values} label="Input of the action" />
      )}
      {missing.length > 0 && (
        <p className="faint tab-note wrap">No value: {missing.map(isolated).join(', ')}</p>
      )}
    </>
  );
}
