import '../../ui/table.css';
import '../../ui/form/filter-bar.css';
import './audit.css';
import { ScrollText } from 'lucide-react';
import { useState } from 'react';
import type { AuditEntry } from '../../../../clients/typescript/api.js';
import { useIsOwner } from '../../api/signed-in.js';
import { useAddress } from '../../ui/use-address.js';
import { useTitle } from '../../ui/use-title.js';
import { nounWords } from '../../ui/words/figures.js';
import { Pager } from '../../ui/pager.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useAudit } from './audit-data.js';
import { filtersIn, isNarrowed } from './audit-filters.js';
import { AuditFilterBar } from './audit-filter-bar.js';
import { AuditTable } from './audit-table.js';
import { EntryDialog } from './entry-dialog.js';

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
          <AuditFilterBar filters={filters} entries={entries} onChange={change} />
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
