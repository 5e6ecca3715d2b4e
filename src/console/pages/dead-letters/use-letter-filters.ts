import { useLocation, useSearch } from 'wouter';
import { type LetterFilters, letterFiltersIn, letterPath } from './letter-filters.js';

/** Returns the filters of the address, and changes them. */
export function useLetterFilters(): [LetterFilters, (change: Partial<LetterFilters>) => void] {
  const [, go] = useLocation();
  const filters = letterFiltersIn(useSearch());
  return [filters, (change) => go(letterPath({ ...filters, ...change }), { replace: true })];
}
