import '../../ui/lists/table.css';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { Badge } from '../../ui/words/badge.js';
import { fieldWords, valueWords } from './audit-field-words.js';

/** The fields that a change touched, with both values; those of secrets are not kept. */
export function ChangedFields({ changes }: { changes: AuditEntry['changes'] }) {
  if (changes === null) return null;
  if (changes.length === 0) return <p className="soft">No field was changed.</p>;
  return (
    <div className="table-frame audit-fields" role="region" aria-label="Changed fields" tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            <th>Field</th>
            <th>Before</th>
            <th>After</th>
          </tr>
        </thead>
        <tbody>
          {changes.map(({ field, before, after, hidden }) => (
            <tr key={field}>
              <td>{fieldWords(field)}</td>
              {hidden ? (
                <td colSpan={2}>
                  <Badge title="The audit log keeps no values that may be secrets.">changed</Badge>
                </td>
              ) : (
                <>
                  <td className="wrap">{valueWords(before)}</td>
                  <td className="wrap">{valueWords(after)}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
