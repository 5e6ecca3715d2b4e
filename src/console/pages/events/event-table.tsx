import '../../ui/table.css';
import { Link } from 'wouter';
import type { Event } from '../../../../clients/typescript/api.js';
import { valueAt } from '../../ui/json-view/value-path.js';
import { Time } from '../../ui/words/time.js';
import { shortGuid } from '../runs/run-words.js';

const MOST_CHARACTERS = 160;

interface EventTableProps {
  events: Event[];
  names: ReadonlyMap<number, string> | undefined;
  /** The path whose values are shown; empty for the whole payload. */
  path: string;
}

/** Events, a row each, with the value at the path, or the beginning of the payload. */
export function EventTable({ events, names, path }: EventTableProps) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>Event</th>
          <th className="wide">Story</th>
          <th className="fill">{path === '' ? 'Output' : path}</th>
          <th className="wide">Run</th>
          <th className="number">Emitted</th>
        </tr>
      </thead>
      <tbody>
        {events.map((event) => (
          <tr key={event.id}>
            <td className="event-name">
              <Link href={`/events/${event.id}`} className="cut" title={`Event ${event.id}`}>
                {event.agent_name ?? 'A deleted action'}
              </Link>
            </td>
            <td className="wide event-story cut">
              {names?.get(event.story_id) ?? `Story ${event.story_id}`}
            </td>
            <td className="fill cut">
              <code>{shortText(path === '' ? event.payload : valueAt(event.payload, path))}</code>
            </td>
            <td className="wide">
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

function shortText(value: unknown): string {
  if (value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
}
