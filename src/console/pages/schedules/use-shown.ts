import { useLocation, useSearch } from 'wouter';
import { queryOf, type Shown, shownIn } from './schedule-query.js';

/** Returns what the address names, and changes it; a change of the filters leads to the first page. */
export function useShown(): [Shown, (change: Partial<Shown>) => void] {
  const [, go] = useLocation();
  const shown = shownIn(useSearch());
  const change = (part: Partial<Shown>) => {
    const query = queryOf({ ...shown, page: 1, ...part });
    go(`/schedules${query === '' ? '' : `?${query}`}`, { replace: true });
  };
  return [shown, change];
}
