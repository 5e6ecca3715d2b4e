import '../../ui/lists/table.css';
import { Link } from 'wouter';
import { RowLink } from '../../ui/split/split.js';
import type { Event } from '../../../../clients/typescript/api.js';
import { valueAt } from '../../ui/json-view/value-path.js';
import { Time } from '../../ui/words/time.js';
import { comparePath } from '../event/compare-path.js';
import { LeftOutPayload } from '../event/left-out-payload.js';
import { shortGuid } from '../runs/run-words.js';
import { hasValue, placeOf, type Wanted } from './event-match.js';

const MOST_CHARACTERS = 160;

interface EventTableProps {
  events: Event[];
  names: ReadonlyMap<number, string> | undefined;
  /** The search. Values at its path are shown; without a path the whole payloads. */
  wanted: Wanted;
  /** The event with which the chosen one is compared. */
  compare: number | undefined;
}

/** Events, a row each, with the value at the path, or the beginning of the payload. */
export function EventTable({ events, names, wanted, compare }: EventTableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Event</th>
          <th className="wide">Story</th>
          <th className="fill">{wanted.path === '' ? 'Output' : wanted.path}</th>
          <th className="wider">Run</th>
          <th className="number">Emitted</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td className="event-name">
              <RowLink
                href={
                  compare === undefined || compare === event.id
                    ? `/events/${event.id}`
                    : comparePath(compare, event.id)
                }
                className="cut"
                title={`Event ${event.id}`}
              >
                {event.agent_name ?? 'Deleted action'}
              </RowLink>
            </td>
            <td className="wide event-story cut">
              {names?.get(event.story_id) ?? `Story ${event.story_id}`}
            </td>
            <Output event={event} wanted={wanted} />
            <td className="wider">
              <Link href={`/runs/${event.story_id}/${event.story_run_guid}?step=event-${event.id}`}>
                {shortGuid(event.story_run_guid)}
              </Link>
            </td>
            <td className="number">
              <Time at={event.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Output({ event, wanted }: { event: Event; wanted: Wanted }) {
  if (!event.incomplete) {
    return (
      <td className="fill">
        <div className="one-line">
          <Value payload={event.payload} wanted={wanted} />
        </div>
      </td>
    );
  }
  const isSearch = wanted.path !== '' || wanted.value !== '';
  return (
    <td className="fill">
      <LeftOutPayload
        id={event.id}
        {...(isSearch && { note: 'Not compared.' })}
        draw={(payload) => (
          <div className="one-line">
            {hasValue(payload, wanted) ? (
              <Value payload={payload} wanted={wanted} />
            ) : (
              <span className="faint">No such value.</span>
            )}
          </div>
        )}
      />
    </td>
  );
}

function Value({ payload, wanted: { path, value } }: { payload: unknown; wanted: Wanted }) {
  const matched = path === '' && value !== '' ? placeOf(payload, value) : undefined;
  if (matched !== undefined) {
    return (
      <code>
        {matched !== '' && `${matched}: `}
        <mark>{shortText(value)}</mark>
      </code>
    );
  }
  return <code>{shortText(path === '' ? bodyFirst(payload) : valueAt(payload, path))}</code>;
}

/** Status and headers of a request are alike from event to event: its body comes first. */
function bodyFirst(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || !('body' in payload)) return payload;
  const { body, ...rest } = payload;
  return { body, ...rest };
}

function shortText(value: unknown): string {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
