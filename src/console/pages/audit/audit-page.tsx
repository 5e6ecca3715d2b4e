import '../../ui/lists/table.css';
import '../../ui/form/filter-bar.css';
import './audit.css';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { useIsOwner } from '../../api/signed-in.js';
import { useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/lists/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useAudit } from './audit-data.js';
import { filtersIn, isNarrowed } from './audit-filters.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { Badge } from '../../ui/words/badge.js';
import { Time } from '../../ui/words/time.js';
import { actionWords, changeWords } from '../home/change-words.js';
import { ChangedThing } from './changed-thing.js';
import { changesLine } from './audit-field-words.js';
import { personOf } from './person-of.js';
import { EntryDialog } from './entry-dialog.js';
import { OPENS_ROW } from '../../ui/lists/open-rows.js';

/** The audit log: each change, and who made it. */
export function AuditPage() {
  useTitle('Audit log');
  const isOwner = useIsOwner();
  const [query, change] = useAddress();
  const [open, setOpen] = useState<AuditEntry>();
  const filters = filtersIn(query);
  const audit = useAudit(filters, isOwner);
  const entries = audit.data?.audit_logs ?? [];
  return (
    <div className="page">
      <header className="page-head">
        <h1>Audit log</h1>
        <span className="faint">{audit.data && nounWords(audit.data.meta.count, 'change')}</span>
      </header>
      {isOwner ? (
        <>
          <AuditFilterBar filters={filters} onChange={change} />
          <div className="table-frame">
            <Answer of={audit} lines={10}>
              {() =>
                entries.length === 0 ? (
                  <Empty isFiltered={isNarrowed(filters)} />
                ) : (
                  <AuditTable entries={entries} onOpen={setOpen} />
                )
              }
            </Answer>
          </div>
          {audit.data && <Pager meta={audit.data.meta} onPage={(page) => change({ page })} />}
        </>
      ) : (
        <Nothing title="Only owners can view the audit log." icon={<ScrollText aria-hidden="true" />} />
      )}
      {open !== undefined && (
        <EntryDialog
          entry={open}
          onClose={() => setOpen(undefined)}
          onFilter={(only) => {
            setOpen(undefined);
            change(only);
          }}
        />
      )}
    </div>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  return isFiltered ? (
    <Nothing title="No changes match these filters." icon={<ScrollText aria-hidden="true" />}>
      <p>Remove a filter, or extend the time range.</p>
    </Nothing>
  ) : (
    <Nothing title="No changes yet." icon={<ScrollText aria-hidden="true" />}>
      <p>Changes by users, API keys and commands appear here.</p>
    </Nothing>
  );
}

/** Changes, a row each; the first cell opens the details. */
function AuditTable(props: { entries: readonly AuditEntry[]; onOpen: (entry: AuditEntry) => void }) {
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
              <button
                type="button"
                className="audit-change"
                aria-label={changeWords(entry)}
                {...OPENS_ROW}
                onClick={() => onOpen(entry)}
              >
                {actionWords(entry.action)}
              </button>{' '}
              <ChangedThing entry={entry} />
              <ChangedLine changes={entry.changes} />
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

/** The first changed fields; the details have all of them. */
function ChangedLine({ changes }: { changes: AuditEntry['changes'] }) {
  const words = changesLine(changes);
  if (words === '') return null;
  return (
    <div className="cut faint" title={words}>
      {words}
    </div>
  );
}
