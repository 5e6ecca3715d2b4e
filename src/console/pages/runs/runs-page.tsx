import '../../ui/form/filter-bar.css';
import './runs.css';
import { Activity } from 'lucide-react';
import { useLocation, useSearch } from 'wouter';
import { type ListOfStory, withQuery } from '../story/list-of-story.js';
import { useTitle } from '../../ui/browser/use-title.js';
import { Button } from '../../ui/form/button.js';
import { Answer, Nothing } from '../../ui/states.js';
import { useRuns, useStoryNames } from './run-list-data.js';
import { RunFilterBar } from './run-filter-bar.js';
import { filtersIn, queryOf, type RunFilters } from './run-query.js';
import { RunTable } from './run-table.js';
import { SearchNote } from './search-note.js';
import { ViewMenu } from './view-menu.js';

/** Runs of all stories that the person may see, live. */
export function RunsPage() {
  useTitle('Runs');
  return <RunList />;
}

/** Runs with their filters: those of a story on its page, else those of all stories. */
export function RunList({ of }: { of?: ListOfStory }) {
  const [, go] = useLocation();
  const given = filtersIn(useSearch());
  const filters = of === undefined ? given : { ...given, story: of.storyId };
  const runs = useRuns(filters);
  const names = useStoryNames().data;
  const open = (query: string) => go(withQuery(of?.base ?? '/runs', query), { replace: true });
  const shared = (all: RunFilters) => queryOf(of === undefined ? all : { ...all, story: undefined });
  const change = (part: Partial<RunFilters>) => open(shared({ ...filters, ...part }));
  const query = shared(filters);
  return (
    <div className="page">
      {of === undefined && (
        <header className="page-head">
          <h1 className="grow">Runs</h1>
          <ViewMenu query={query} onOpen={open} />
        </header>
      )}
      <RunFilterBar filters={filters} names={names} isOfStory={of !== undefined} onChange={change} />
      <div className="table-frame" aria-busy={runs.isFetching}>
        <Answer of={runs} lines={10}>
          {({ pages }) => {
            const all = pages.flatMap(({ story_runs: found }) => found);
            return all.length === 0 ? (
              <Empty isFiltered={query !== ''} />
            ) : (
              <RunTable runs={all} names={names} isOfStory={of !== undefined} />
            );
          }}
        </Answer>
      </div>
      <SearchNote
        metas={(runs.data?.pages ?? []).map(({ meta }) => meta)}
        isSearch={filters.path !== '' || filters.value !== ''}
      />
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
