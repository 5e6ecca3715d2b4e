import '../../../ui/lists/table.css';
import { countWords } from '../../../ui/words/figures.js';
import { Answer } from '../../../ui/states.js';
import { type Place, useActionCounts } from '../story-data.js';

const ROWS = [
  ['Events', 'events'],
  ['Webhook calls', 'webhook_calls'],
  ['Permanent failures', 'dead_letters'],
  ['Failures handled by a failure link', 'handled_failures'],
] as const;
const DAY = 24;
const WEEK = 7 * DAY;

/** The figures of the action for the last day and the last week. */
export function StatisticsTab({ actionId, place }: { actionId: number; place: Place }) {
  const day = useActionCounts(place, DAY);
  const week = useActionCounts(place, WEEK);
  return (
    <Answer of={day}>
      {(ofDay) => (
        <table className="table">
          <thead>
            <tr>
              <th className="fill">Counted</th>
              <th className="number">24 hours</th>
              <th className="number">7 days</th>
            </tr>
          </thead>
          <tbody>
            {ROWS.map(([name, key]) => (
              <tr key={key}>
                <td className="fill">{name}</td>
                <td className="number">{countWords(ofDay.get(actionId)?.[key] ?? 0)}</td>
                <td className="number">
                  {week.data === undefined ? '–' : countWords(week.data.get(actionId)?.[key] ?? 0)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Answer>
  );
}
