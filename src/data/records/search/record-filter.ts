import type { Problem } from '../../../platform/errors.js';
import type { Usable } from '../../../platform/validation/partial-input.js';
import { type FieldValue, readTyped } from '../field-value.js';
import type { RecordField, ResultType } from '../types/record-type.js';

/** Operators of filters (spec §6.5). */
export const OPERATORS = [
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
  'IS_EMPTY',
  'IS_NOT_EMPTY',
  'IS_TRUE',
  'IS_FALSE',
  'CONTAINS',
] as const;
export type Operator = (typeof OPERATORS)[number];

/** A filter in a request. */
export interface RequestedFilter {
  field_id: number;
  operator: Operator;
  value?: unknown;
}

/** A condition on a field's value, with operator and value checked. */
export interface FilterTerm {
  field: RecordField;
  operator: Exclude<Operator, 'IS_TRUE' | 'IS_FALSE'>;
  /** The value to compare with; null for IS_EMPTY and IS_NOT_EMPTY. */
  value: FieldValue;
}

const EITHER = ['EQUAL', 'NOT_EQUAL', 'IS_EMPTY', 'IS_NOT_EMPTY'] as const;
const ORDERED = [
  ...EITHER,
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL_TO',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL_TO',
] as const;

/** The operators of each type (spec §6.5). */
const FITTING: Record<ResultType, readonly Operator[]> = {
  TEXT: [...ORDERED, 'CONTAINS'],
  NUMBER: ORDERED,
  TIMESTAMP: ORDERED,
  BOOLEAN: [...EITHER, 'IS_TRUE', 'IS_FALSE'],
  TEXT_ENUM: EITHER,
};

/** Converts a request's filters on these fields to terms, and returns all their faults. */
export function checkFilters(
  filters: Usable<RequestedFilter[]>,
  fields: readonly RecordField[],
): { terms: FilterTerm[]; problems: Problem[] } {
  const checked = filters.map((filter, index) => checkFilter(filter, `filters[${index}]`, fields));
  return {
    terms: checked.flatMap(({ term }) => (term === undefined ? [] : [term])),
    problems: checked.flatMap(({ problem }) => (problem === undefined ? [] : [problem])),
  };
}

interface Checked {
  term?: FilterTerm;
  problem?: Problem;
}

function checkFilter(
  filter: Usable<RequestedFilter> | undefined,
  path: string,
  fields: readonly RecordField[],
): Checked {
  if (filter?.field_id === undefined) return {};
  const { operator, field_id: fieldId } = filter;
  const field = fields.find(({ id }) => id === fieldId);
  if (field === undefined)
    return problem(`${path}.field_id`, `is not a field of this record type: ${fieldId}`);
  if (operator === undefined) return {};
  if (!FITTING[field.resultType].includes(operator)) {
    return problem(`${path}.operator`, `${operator} cannot be used with a field of type ${field.resultType}`);
  }
  if (operator === 'IS_EMPTY' || operator === 'IS_NOT_EMPTY')
    return { term: { field, operator, value: null } };
  if (operator === 'IS_TRUE' || operator === 'IS_FALSE') {
    return { term: { field, operator: 'EQUAL', value: operator === 'IS_TRUE' } };
  }
  if (filter.value === undefined || filter.value === null) return problem(`${path}.value`, 'is required');
  const typed = readTyped(field.resultType, filter.value);
  if (typed.problem !== undefined) return problem(`${path}.value`, typed.problem);
  return { term: { field, operator, value: typed.value } };
}

function problem(details: string, what: string): Checked {
  return { problem: { message: `${details} ${what}`, details } };
}
