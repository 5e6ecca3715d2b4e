import { containsPattern } from '../../../platform/mysql/statements/page-query.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';
import type { FilterTerm } from './record-filter.js';
import { SORT_KEY_BYTES, sortKeyOf, type SortKey } from './sort-key.js';

/** A part of a WHERE clause with its values. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

type Comparison = FilterTerm['operator'];

/** The latest time that DATETIME can store. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const NEVER: Condition = { sql: 'FALSE', values: [] };
const ALWAYS: Condition = { sql: 'TRUE', values: [] };

/** Whether records without a value match. */
export function matchesEmpty({ operator, value }: FilterTerm): boolean {
  return operator === 'IS_EMPTY' || (value === '' ? operator === 'EQUAL' : operator === 'NOT_EQUAL');
}

/** Terms on `Timestamp` use the record itself; all others use its value rows. */
export function isOnCreation({ field }: Pick<FilterTerm, 'field'>): boolean {
  return field.source === 'timestamp';
}

/** Returns the term as a condition on the value row `alias` (in an outer join a missing row counts as empty). */
export function valueCondition(term: FilterTerm, alias: string): Condition {
  const { field, value } = term;
  const key = `${alias}.sort_key`;
  const operator = value === '' ? AGAINST_NOTHING[term.operator] : term.operator;
  if (operator === 'never') return NEVER;
  if (operator === 'IS_EMPTY') return { sql: `${key} IS NULL`, values: [] };
  if (operator === 'IS_NOT_EMPTY') return { sql: `${key} IS NOT NULL`, values: [] };
  if (operator === 'CONTAINS') return contains(String(value), alias);
  return comparison(operator, sortKeyOf(field.resultType, value), alias);
}

/** Texts with this part in any letter case. No index has them: each value of the field is read. */
function contains(part: string, alias: string): Condition {
  const text = `CONVERT(COALESCE(${alias}.full_text, ${alias}.sort_key) USING utf8mb4)`;
  return { sql: `${text} COLLATE utf8mb4_unicode_520_ci LIKE ? ESCAPE '!'`, values: [containsPattern(part)] };
}

/** The meaning of each operator when compared with an empty text. */
const AGAINST_NOTHING: Record<Comparison, Comparison | 'never'> = {
  EQUAL: 'IS_EMPTY',
  NOT_EQUAL: 'IS_NOT_EMPTY',
  GREATER_THAN: 'IS_NOT_EMPTY',
  GREATER_THAN_OR_EQUAL_TO: 'IS_NOT_EMPTY',
  LESS_THAN: 'never',
  LESS_THAN_OR_EQUAL_TO: 'never',
  IS_EMPTY: 'IS_EMPTY',
  IS_NOT_EMPTY: 'IS_NOT_EMPTY',
  CONTAINS: 'IS_NOT_EMPTY',
};

const SIGNS: Partial<Record<Comparison, string>> = {
  GREATER_THAN: '>',
  GREATER_THAN_OR_EQUAL_TO: '>=',
  LESS_THAN: '<',
  LESS_THAN_OR_EQUAL_TO: '<=',
};

/**
 * Compares by the indexed key. Only if a text may be longer than its key, the whole text decides among the rows with
 * the same key.
 */
function comparison(operator: Comparison, { key, fullText }: SortKey, alias: string): Condition {
  const column = `${alias}.sort_key`;
  const whole = fullText ?? key;
  const isCut = key !== null && key.length === SORT_KEY_BYTES;
  const rest = `COALESCE(${alias}.full_text, ${column})`;
  if (operator === 'EQUAL') {
    return isCut
      ? { sql: `(${column} = ? AND ${rest} = ?)`, values: [key, whole] }
      : { sql: `${column} = ?`, values: [key] };
  }
  if (operator === 'NOT_EQUAL') {
    const sql = `${column} IS NULL OR ${column} < ? OR ${column} > ?`;
    return isCut
      ? { sql: `(${sql} OR (${column} = ? AND ${rest} <> ?))`, values: [key, key, key, whole] }
      : { sql: `(${sql})`, values: [key, key] };
  }
  const sign = SIGNS[operator] ?? '=';
  if (!isCut) return { sql: `${column} ${sign} ?`, values: [key] };
  const strict = sign.slice(0, 1);
  return {
    sql: `(${column} ${strict} ? OR (${column} = ? AND ${rest} ${sign} ?))`,
    values: [key, key, whole],
  };
}

/** Returns the term as a condition on `created_at` of the record `alias`: `Timestamp` is that time in whole seconds. */
export function creationCondition({ operator, value }: FilterTerm, alias: string): Condition {
  if (operator === 'IS_EMPTY') return NEVER;
  if (operator === 'IS_NOT_EMPTY') return ALWAYS;
  const from = new Date(`${String(value).replace(' ', 'T')}Z`);
  const next = new Date(Math.min(from.getTime() + 1000, LATEST_MS));
  const column = `${alias}.created_at`;
  switch (operator) {
    case 'EQUAL':
      return { sql: `(${column} >= ? AND ${column} < ?)`, values: [from, next] };
    case 'NOT_EQUAL':
      return { sql: `(${column} < ? OR ${column} >= ?)`, values: [from, next] };
    case 'GREATER_THAN':
      return { sql: `${column} >= ?`, values: [next] };
    case 'GREATER_THAN_OR_EQUAL_TO':
      return { sql: `${column} >= ?`, values: [from] };
    case 'LESS_THAN':
      return { sql: `${column} < ?`, values: [from] };
    default:
      return { sql: `${column} < ?`, values: [next] };
  }
}
