import { useLocation, useSearch } from 'wouter';
import { addressOfRecords, recordQueryIn, type RecordQuery } from './record-query.js';

/** A part of the list that changes. */
export type RecordQueryChange = Partial<RecordQuery>;

/** Returns the list that the address names, and changes it; a change leads to the first page unless it names one. */
export function useRecordQuery(): [RecordQuery, (change: RecordQueryChange) => void] {
  const [, go] = useLocation();
  const query = recordQueryIn(useSearch());
  const change = (part: RecordQueryChange) => {
    const address = addressOfRecords({ ...query, page: 1, ...part });
    go(address === '' ? '/records' : `/records?${address}`, { replace: true });
  };
  return [query, change];
}
