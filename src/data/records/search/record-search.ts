import { type Condition, creationCondition, isOnCreation } from './filter-condition.js';
import type { FilterTerm } from './record-filter.js';
import type { RecordField } from '../types/record-type.js';

export type Direction = 'ASC' | 'DESC';

/** The selection and the order of records of one type. */
export interface RecordSearch {
  typeId: number;
  testMode: boolean;
  rangeStart: Date | undefined;
  /** Exclusive. */
  rangeEnd: Date | undefined;
  /** Undefined: all stories, and records without one. */
  storyIds: number[] | undefined;
  terms: FilterTerm[];
  /** Without a field: by creation. */
  order: { field: RecordField | undefined; direction: Direction };
}

/** Returns the terms on value rows. */
export function valueTerms(search: RecordSearch): FilterTerm[] {
  return search.terms.filter((term) => !isOnCreation(term));
}

/** Returns the field whose value rows give the order; undefined for the order of creation. */
export function orderingField({ order }: RecordSearch): RecordField | undefined {
  return order.field?.source === 'timestamp' ? undefined : order.field;
}

/** Whether the records come in the order of their creation, the newest first. */
export function isNewestFirst(search: RecordSearch): boolean {
  return orderingField(search) === undefined && search.order.direction === 'DESC';
}

/** Whether the record's own columns are needed to decide whether it matches. */
export function isScoped(search: RecordSearch): boolean {
  const { rangeStart, rangeEnd, storyIds } = search;
  return (
    [rangeStart, rangeEnd, storyIds].some((part) => part !== undefined) || search.terms.some(isOnCreation)
  );
}

/** Returns the conditions on the record `r`: its type, mode, stories and time. */
export function scopeConditions(search: RecordSearch): Condition[] {
  const { rangeStart, rangeEnd, storyIds } = search;
  return [
    { sql: 'r.record_type_id = ?', values: [search.typeId] },
    { sql: 'r.test_mode = ?', values: [search.testMode] },
    ...(storyIds === undefined ? [] : [{ sql: 'r.story_id IN (?)', values: [storyIds] }]),
    ...(rangeStart === undefined ? [] : [{ sql: 'r.created_at >= ?', values: [rangeStart] }]),
    ...(rangeEnd === undefined ? [] : [{ sql: 'r.created_at < ?', values: [rangeEnd] }]),
    ...search.terms.filter(isOnCreation).map((term) => creationCondition(term, 'r')),
  ];
}
