import { type Condition, creationCondition, isOnCreation } from './filter-condition.js';
import type { FilterTerm } from './record-filter.js';
import type { RecordField } from '../types/record-type.js';

export type Direction = 'ASC' | 'DESC';

/** Which records of one type, in which order. */
export interface RecordSearch {
  typeId: number;
  testMode: boolean;
  rangeStart: Date | undefined;
  /** Exclusive. */
  rangeEnd: Date | undefined;
  /** Undefined: all stories, and records without one. */
  storyIds: number[] | undefined;
  terms: FilterTerm[];
  /** No field: by creation. */
  order: { field: RecordField | undefined; direction: Direction };
}

/** The terms that look at value rows. */
export function valueTerms(search: RecordSearch): FilterTerm[] {
  return search.terms.filter((term) => !isOnCreation(term));
}

/** The field whose value rows give the order; undefined when creation does. */
export function orderingField({ order }: RecordSearch): RecordField | undefined {
  return order.field?.source === 'timestamp' ? undefined : order.field;
}

/** Whether the record itself must be looked at to know that it belongs to the result. */
export function isScoped(search: RecordSearch): boolean {
  const { rangeStart, rangeEnd, storyIds } = search;
  return (
    [rangeStart, rangeEnd, storyIds].some((part) => part !== undefined) || search.terms.some(isOnCreation)
  );
}

/** What the search says of the record `r`: its type, mode, stories and time. */
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
