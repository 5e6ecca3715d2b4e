import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ListedRecord, RecordField, RecordType } from '../../../../clients/typescript/api.js';
import type { Input } from '../../../../clients/typescript/client.js';
import { api } from '../../api/console-api.js';
import { keys } from '../../api/keys.js';
import { needsValue } from './query/filter-operators.js';
import type { RecordQuery } from './query/record-query.js';

/** Record types of one response; more of them do not fit a list to choose from. */
const MOST_TYPES = 500;
const PAGE = 50;
/** The most records of one response. */
const LARGEST_PAGE = 500;
/** Nothing tells of a new record, so an open list asks again. */
const AGAIN_MS = 30_000;

/** Returns all record types, the newest first. */
export function useRecordTypes() {
  return useQuery({
    queryKey: keys.recordTypes,
    queryFn: async () => (await api.recordTypes.list({ per_page: MOST_TYPES })).record_types,
  });
}

/** Returns a page of the records that a query names. */
export function useRecords(type: RecordType, query: RecordQuery) {
  const input = inputOf(type, query);
  return useQuery({
    queryKey: keys.records(input, query.page),
    queryFn: () => api.records.list({ ...input, page: query.page, per_page: PAGE }),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });
}

/** Returns all fields of a type, its own before those that every type has. */
export function fieldsOf(type: RecordType): RecordField[] {
  return [...type.default_record_fields, ...type.record_fields];
}

/** Returns the fields that are shown, in the order of the type. */
export function shownFields(type: RecordType, columns: readonly number[]): RecordField[] {
  const all = fieldsOf(type);
  const chosen = all.filter(({ id }) => columns.includes(id));
  return chosen.length === 0 ? all : chosen;
}

/** Many records, and how many more there are. */
export interface ManyRecords {
  records: ListedRecord[];
  /** How many the query has. */
  count: number;
}

/** How `readMany` tells of its progress, and is ended. */
export interface Watch {
  signal?: AbortSignal;
  onProgress?: (read: number, count: number) => void;
}

/**
 * Reads records page by page, `most` of them at most. Records that are made meanwhile are left out, else each would move
 * the pages. @throws FabulaError for a refusal; the reason of the signal once it is aborted.
 */
export async function readMany(
  type: RecordType,
  query: RecordQuery,
  most: number,
  { signal, onProgress }: Watch = {},
): Promise<ManyRecords> {
  const until = query.to === '' ? new Date().toISOString() : query.to;
  const input = inputOf(type, { ...query, to: until });
  const records: ListedRecord[] = [];
  for (let page = 1; ; page += 1) {
    signal?.throwIfAborted();
    const response = await api.records.list({ ...input, page, per_page: LARGEST_PAGE });
    records.push(...response.record_results);
    onProgress?.(records.length, response.meta.count);
    if (response.meta.next_page_number === null || records.length >= most)
      return { records: records.slice(0, most), count: response.meta.count };
  }
}

function inputOf(type: RecordType, query: RecordQuery): Input<'records.list'> {
  const fields = shownFields(type, query.columns);
  // A filter that a person has only begun to write would be refused.
  const filters = query.filters.filter(({ operator, value }) => !needsValue(operator) || value !== '');
  return {
    record_type_id: type.id,
    ...(query.columns.length > 0 && { record_field_ids: fields.map(({ id }) => id) }),
    ...(query.from !== '' && { range_start: query.from }),
    ...(query.to !== '' && { range_end: query.to }),
    ...(query.order !== undefined && { order_field_id: query.order }),
    order_direction: query.direction,
    ...(query.tests && { test_mode: true }),
    ...(filters.length > 0 && {
      filters: filters.map(({ field, operator, value }) => ({
        field_id: field,
        operator,
        ...(needsValue(operator) && { value }),
      })),
    }),
  };
}
