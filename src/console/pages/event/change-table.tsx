import '../../ui/lists/table.css';
import './change-table.css';

const MOST_CHARACTERS = 600;

interface ChangeTableProps {
  changes: readonly { path: string; before: unknown; after: unknown }[];
  /** The names of the two sides. */
  before: string;
  after: string;
}

/** Places at which two values differ, with both values side by side. */
export function ChangeTable({ changes, before, after }: ChangeTableProps) {
  return (
    <div className="table-frame">
      <table className="table changes">
        <thead>
          <tr>
            <th>Path</th>
            <th>{before}</th>
            <th>{after}</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ path, before: one, after: other }, at) => (
            // A path may come twice, of two events.
            <tr key={`${path}-${at}`}>
              <td>
                <code className="wrap">{path || 'whole value'}</code>
              </td>
              <td className={one === undefined ? '' : 'gone'}>
                <Value value={one} />
              </td>
              <td className={other === undefined ? '' : 'come'}>
                <Value value={other} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ value }: { value: unknown }) {
  if (value === undefined) return <span className="faint">absent</span>;
  const text = JSON.stringify(value);
  const rest = text.length - MOST_CHARACTERS;
  return (
    <>
      <code className="wrap">{text.slice(0, MOST_CHARACTERS)}</code>
      {rest > 0 && <span className="faint"> {rest.toLocaleString('en')} more characters</span>}
    </>
  );
}
