import '../../ui/form/filter-bar.css';
import './runs.css';
import { Activity } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useRuns, useStoryNames } from './run-list-data.js';
import { RunFilterBar } from './run-filter-bar.js';
import { filtersIn, queryOf, type RunFilters } from './run-query.js';
import { RunTable } from './run-table.js';
import type { RunSearchMeta } from '../../../../clients/typescript/api.js';
import { nounWords } from '../../ui/words/figures.js';
import { Time } from '../../ui/words/time.js';
import { ViewMenu } from './view-menu.js';

/** Runs of all stories that the person may see, live. */
export function RunsPage() {
  useTitle('Runs');
  const [, go] = useLocation();
  const filters = filtersIn(useSearch());
  const runs = useRuns(filters);
  const names = useStoryNames().data;
  const open = (query: string) => go(query === '' ? '/runs' : `/runs?${query}`, { replace: true });
  const change = (part: Partial<RunFilters>) => open(queryOf({ ...filters, ...part }));
  const query = queryOf(filters);
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="grow">Runs</h1>
        <ViewMenu query={query} onOpen={open} />
      </header>
      <RunFilterBar filters={filters} names={names} onChange={change} />
      <div className="table-frame" aria-busy={runs.isFetching}>
        <Answer of={runs} lines={10}>
          {({ pages }) => {
            const all = pages.flatMap(({ story_runs: found }) => found);
            return all.length === 0 ? (
              <Empty isFiltered={query !== ''} />
            ) : (
              <RunTable runs={all} names={names} />
            );
          }}
        </Answer>
      </div>
      <SearchNote meta={runs.data?.pages.at(-1)?.meta} />
      {runs.hasNextPage && (
        <Button disabled={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
          {runs.isFetchingNextPage ? 'Loading…' : 'Older runs'}
        </Button>
      )}
    </div>
  );
}

function Empty({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <Nothing title="No runs match these filters." icon={<Activity aria-hidden="true" />}>
        <p>Remove a filter, or extend the time range.</p>
      </Nothing>
    );
  }
  return (
    <Nothing title="No runs yet." icon={<Activity aria-hidden="true" />}>
      <p>Call a webhook, or start an action manually. Its run appears here automatically.</p>
    </Nothing>
  );
}

/** Tells how far a search has come where it could not look at all runs. */
function SearchNote({ meta }: { meta: RunSearchMeta | undefined }) {
  if (meta === undefined || (meta.complete && meta.indexed_until === null)) return null;
  return (
    <p className="faint">
      {!meta.complete && `This search stopped after ${nounWords(meta.looked_at, 'run')}. `}
      {meta.indexed_until !== null && (
        <>
          Runs before <Time at={meta.indexed_until} /> were only matched by their first event.
        </>
      )}
    </p>
  );
}
