import '../../ui/form/filter-bar.css';
import '../../ui/lists/lines.css';
import '../../ui/lists/table.css';
import './inbox.css';
import { Inbox as Icon } from 'lucide-react';
import { useRef, useState } from 'react';
import type { InboxEntry, ListInboxResponse } from '../../../../clients/typescript/api.js';
import { useKeys } from '../../keys/use-keys.js';
import { useAddress } from '../../ui/browser/use-address.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Answer, Nothing } from '../../ui/states.js';
import { countWords, nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { InboxFilterBar } from './inbox-filter-bar.js';
import { useInbox, useMayChange } from './inbox-data.js';
import { foundIn, type InboxFilters, inboxFiltersIn, isFiltered, KIND_WORDS } from './inbox-query.js';
import { InboxRow, type RowMenu } from './inbox-row.js';
import { useKeptPlace } from './use-kept-place.js';

/** Everything that needs a person, in one list: failures, held work, quotas, schedules, webhooks, credentials and keys. */
export function InboxPage() {
  useTitle('Inbox');
  const [query, change] = useAddress();
  const filters = inboxFiltersIn(query);
  const inbox = useInbox(filters);
  return (
    <div className="page">
      <header className="page-head">
        <h1>Inbox</h1>
        <span className="page-note" role="status">
          {inbox.data && countsOf(inbox.data)}
        </span>
      </header>
      <InboxFilterBar filters={filters} snoozed={inbox.data?.counts.snoozed ?? 0} onChange={change} />
      <div className="table-frame" aria-busy={inbox.isFetching}>
        <Answer of={inbox} lines={8}>
          {({ entries, complete, unread, behind, checked_at: checkedAt }) => (
            <>
              {behind && (
                <p className="warn inbox-more" role="status">
                  <Time at={checkedAt} prefix="As of " />. Newer entries may be missing.
                </p>
              )}
              {unread.length > 0 && (
                <p className="warn inbox-more" role="status">
                  {unread.map((kind) => KIND_WORDS[kind]).join(', ')} timed out. Retrying…
                </p>
              )}
              <Entries
                entries={foundIn(entries, filters.search)}
                filters={filters}
                onClear={() =>
                  change({ kind: undefined, who: undefined, search: undefined, state: undefined })
                }
                isCut={!complete && unread.length === 0}
              />
            </>
          )}
        </Answer>
      </div>
    </div>
  );
}

function countsOf({ counts: { open, snoozed, errors, warnings } }: ListInboxResponse): string {
  return [
    `${countWords(open)} open`,
    ...(errors > 0 ? [nounWords(errors, 'error')] : []),
    ...(warnings > 0 ? [nounWords(warnings, 'warning')] : []),
    ...(snoozed > 0 ? [`${countWords(snoozed)} snoozed`] : []),
  ].join(' · ');
}

interface EntriesProps {
  entries: readonly InboxEntry[];
  filters: InboxFilters;
  onClear: () => void;
  /** Whether there are more than were sent. */
  isCut: boolean;
}

/** The list. `a` and `s` open the menus of the row with the focus, or of the first one. */
function Entries({ entries, filters, onClear, isCut }: EntriesProps) {
  const [open, setOpen] = useState<{ key: string; menu: RowMenu }>();
  const list = useRef<HTMLUListElement>(null);
  const focused = useKeptPlace(list, entries);
  const mayChange = useMayChange();
  // A row that comes back begins with its menus closed.
  if (open !== undefined && !entries.some(({ key }) => key === open.key)) setOpen(undefined);
  const openMenu = (menu: RowMenu) => {
    const key = focused() ?? entries[0]?.key;
    const entry = entries.find((one) => one.key === key);
    if (entry !== undefined && !entry.closed && mayChange(entry)) setOpen({ key: entry.key, menu });
  };
  useKeys('page', { a: () => openMenu('assign'), s: () => openMenu('snooze') });
  const isClosed = filters.state === 'CLOSED';
  if (entries.length === 0) return <Empty filters={filters} onClear={onClear} />;
  return (
    <>
      <ul ref={list} aria-label={isClosed ? 'Closed' : 'Needs attention'} className="inbox">
        {entries.map((entry) => (
          <InboxRow
            key={entry.key + (entry.closed?.at ?? '')}
            entry={entry}
            open={open?.key === entry.key ? open.menu : undefined}
            onOpen={(menu) => setOpen(menu && { key: entry.key, menu })}
          />
        ))}
      </ul>
      {isCut && (
        <p className="faint inbox-more">
          Only the {isClosed ? 'newest' : 'most severe'} are shown. Filter by kind to see others.
        </p>
      )}
    </>
  );
}

function Empty({ filters, onClear }: { filters: InboxFilters; onClear: () => void }) {
  const icon = <Icon aria-hidden="true" />;
  if (isFiltered(filters)) {
    return (
      <Nothing title="Nothing matches these filters." icon={icon}>
        <Button onClick={onClear}>Show all</Button>
      </Nothing>
    );
  }
  if (filters.state === 'SNOOZED') {
    return (
      <Nothing title="Nothing is snoozed." icon={icon}>
        <p>An entry that is snoozed comes back at its time, or when its count doubles.</p>
      </Nothing>
    );
  }
  if (filters.state === 'CLOSED') {
    return (
      <Nothing title="Nothing was closed in the last 30 days." icon={icon}>
        <p>An entry that was shown here is closed once its cause has gone.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title="Nothing needs attention." icon={icon}>
      <p>
        Failures, held work, quotas at 80 %, late schedules, refused webhooks, expiring credentials and API
        keys appear here.
      </p>
    </Nothing>
  );
}
