import { useSearch } from 'wouter';
import { useTitle } from '../../ui/browser/use-title.js';
import { useFilteredAddress } from '../../ui/split/split.js';
import { RunList } from './run-list.js';
import { filtersIn, queryOf } from './run-query.js';
import { ViewMenu } from './view-menu.js';

/** Runs of all stories that the person may see, live. */
export function RunsPage() {
  useTitle('Runs');
  const go = useFilteredAddress();
  const filters = filtersIn(useSearch());
  const open = (query: string) => go(query === '' ? '/runs' : `/runs?${query}`);
  return (
    <div className="page">
      <header className="page-head">
        <h1 className="grow">Runs</h1>
        <ViewMenu query={queryOf(filters)} onOpen={open} />
      </header>
      <RunList filters={filters} onChange={(part) => open(queryOf({ ...filters, ...part }))} />
    </div>
  );
}
