import { writeQueryString } from '../../src/platform/http/address/query-string.js';
import type { RecordListQuery } from '../../src/data/records/search/record-list.js';
import type { AlertType } from './alert-records.js';
import type { ApiAccount } from './api-account.js';
import { FIRST_AT, MATCHES, NEEDLE } from './record-fill.js';

export const PER_PAGE = 20;
/** How far behind the beginning a deep page is. */
const DEEP = 0.9;

/** A list whose speed is measured, on `fillRecords`' records. */
export interface RecordList {
  what: string;
  query: RecordListQuery;
  page: number;
  /** How many records match. */
  count: number;
  /** Whether it matches the same number at every size (or needs no filter) and reads the first page. */
  bounded: boolean;
}

/** The lists of measure 9 for a type of `size` records. */
export function recordLists({ id, fieldIds }: AlertType, size: number): RecordList[] {
  const { Host, Score, Severity, Note } = fieldIds;
  const narrow = (what: string, query: RecordListQuery): RecordList => ({
    what,
    query: { record_type_id: id, ...query },
    page: 1,
    count: MATCHES,
    bounded: true,
  });
  const whole = (what: string, query: RecordListQuery, other: Partial<RecordList>): RecordList => ({
    ...narrow(what, query),
    count: size,
    bounded: false,
    ...other,
  });
  const below = (value: number) => ({ field_id: Score, operator: 'LESS_THAN' as const, value });
  const high = { field_id: Severity, operator: 'EQUAL' as const, value: 'high' };
  const deepPage = Math.floor((size * DEEP) / PER_PAGE) + 1;
  return [
    whole('unfiltered', {}, { bounded: true }),
    narrow('EQUAL', { filters: [{ field_id: Host, operator: 'EQUAL', value: NEEDLE }] }),
    narrow('range of a number, ordered by it', { filters: [below(MATCHES)], order_field_id: Score }),
    narrow('range of time, ordered by a number', { ...middle(size), order_field_id: Score }),
    // Scores are even where n is: of those below 2 × MATCHES every other one is high.
    narrow('two filters, ordered by a text', { filters: [below(2 * MATCHES), high], order_field_id: Host }),
    narrow('IS_EMPTY', { filters: [{ field_id: Note, operator: 'IS_EMPTY' }] }),
    whole('page at 90 %', {}, { page: deepPage }),
    whole('page at 90 %, ordered by a number', { order_field_id: Score }, { page: deepPage }),
    whole('a filter that matches half', { filters: [high] }, { count: size / 2 }),
  ];
}

/** `MATCHES` seconds in the middle of the records' time, one record each. */
function middle(size: number): Pick<RecordListQuery, 'range_start' | 'range_end'> {
  const start = FIRST_AT.getTime() + (size / 2) * 1000;
  return { range_start: new Date(start), range_end: new Date(start + MATCHES * 1000) };
}

interface ListResponse {
  record_results: unknown[];
  meta: { count: number };
}

/** Calls the list once. @throws when it does not find what it must. */
export async function checkList(account: ApiAccount, list: RecordList): Promise<void> {
  const { record_results: records, meta } = await account.call<ListResponse>('GET', addressOf(list));
  if (meta.count !== list.count || records.length !== PER_PAGE)
    throw new Error(`${list.what}: ${records.length} records of ${meta.count}, not of ${list.count}`);
}

/** Path and query of the list. */
export function addressOf({ query, page }: RecordList): string {
  const text = writeQueryString({ ...query, page, per_page: PER_PAGE });
  return `/api/v1/records?${text}`;
}
