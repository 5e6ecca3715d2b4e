import '../../ui/form/filter-bar.css';
import './runs.css';
import { Activity } from 'lucide-react';
import { lazy } from 'react';
import { Button } from '../../ui/form/button.js';
import { Split } from '../../ui/split/split.js';
import { Answer, Nothing } from '../../ui/states.js';
import { RunHistogram } from './range/run-histogram.js';
import { RunFilterBar } from './run-filter-bar.js';
import { useRuns, useStoryNames } from './run-list-data.js';
import { queryOf, type RunFilters } from './run-query.js';
import { RunTable } from './run-table.js';
import { SearchNote } from './search-note.js';

const RunPage = lazy(async () => ({ default: (await import('../run/run-page.js')).RunPage }));

interface RunListProps {
  filters: RunFilters;
  /** The runs of this story alone, on a page of it: its name and the choice of a story are left out. */
  ofStory?: number;
  onChange: (change: Partial<RunFilters>) => void;
}

/** Runs over time, with filters, as a list, and the chosen one beside it. */
export function RunList({ filters: given, ofStory, onChange }: RunListProps) {
  const filters = ofStory === undefined ? given : { ...given, story: ofStory };
  const runs = useRuns(filters);
  const names = useStoryNames().data;
  return (
    <Split path="/runs/:story/:guid" page={RunPage} label="Run">
      <RunFilterBar filters={given} hasStories={ofStory === undefined} names={names} onChange={onChange} />
      <RunHistogram filters={filters} onRange={onChange} />
      <div className="table-frame" aria-busy={runs.isFetching}>
        <Answer of={runs} lines={10}>
          {({ pages }) => {
            const all = pages.flatMap(({ story_runs: found }) => found);
            return all.length === 0 ? (
              <Empty isFiltered={queryOf(given) !== ''} />
            ) : (
              <RunTable runs={all} value={filters.value} names={ofStory === undefined ? names : null} />
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
    </Split>
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
