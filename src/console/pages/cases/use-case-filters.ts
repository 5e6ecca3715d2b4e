import { useLocation, useSearch } from 'wouter';
import { type CaseFilters, caseFiltersIn, casesPath } from './case-query.js';

/** A change of some of the filters. */
export type CaseFiltersChange = (part: Partial<CaseFilters>) => void;

/** Returns the filters of the address, and changes them; a change leads to the first page unless it names one. */
export function useCaseFilters(): [CaseFilters, CaseFiltersChange] {
  const [, go] = useLocation();
  const filters = caseFiltersIn(useSearch());
  return [filters, (part) => go(casesPath({ ...filters, page: 1, ...part }), { replace: true })];
}
