import { useLocation, useSearch } from 'wouter';
import { filtersIn, queryOf, type StoryFilters } from './filter-query.js';

/** Returns the filters of the address, and changes them; a change leads to the first page unless it names one. */
export function useStoryFilters(): [StoryFilters, (change: Partial<StoryFilters>) => void] {
  const [, go] = useLocation();
  const filters = filtersIn(useSearch());
  const change = (part: Partial<StoryFilters>) => {
    const query = queryOf({ ...filters, page: 1, ...part });
    go(query === '' ? '/stories' : `/stories?${query}`, { replace: true });
  };
  return [filters, change];
}
