import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { Time } from '../../ui/words/time.js';
import { changeWords } from '../home/change-words.js';
import { personOf } from './person-of.js';

/** Changes, a row each; the first cell opens the details. */
export function AuditTable(props: { entries: readonly AuditEntry[]; onOpen: (entry: AuditEntry) => void }) {
  const { entries, onOpen } = props;
  return (
    <table className="table">
      <thead>
        <tr>
          <th className="fill">Change</th>
          <th className="wide">By</th>
          <th className="wide">From</th>
          <th className="number">When</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className="fill cut">
              <button type="button" className="audit-change cut" onClick={() => onOpen(entry)}>
                {changeWords(entry)}
              </button>
            </td>
            <td className="wide cut audit-by" title={entry.user_email ?? undefined}>
              {personOf(entry)}
            </td>
            <td className="wide nowrap soft">
              <Badge>{entry.source.toLowerCase()}</Badge> {entry.ip}
            </td>
            <td className="number">
              <Time at={entry.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
