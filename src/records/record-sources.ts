import type { SqlValue } from '../platform/mysql/sql.js';
import { type Condition, matchesEmpty, valueCondition } from './search/filter-condition.js';
import type { FilterTerm } from './search/record-filter.js';
import { orderingField, type RecordSearch, scopeConditions, valueTerms } from './search/record-search.js';

/**
 * Where a statement begins to look: at the records of the type in their order of creation, at the value rows of one
 * term, or at those of the ordering field. The other tables are joined by their primary keys, in the order written
 * (`STRAIGHT_JOIN`): the planner's own choice is wrong by a factor of a hundred here (decision 0006).
 */
export type Driver = { kind: 'records' } | { kind: 'term'; term: FilterTerm } | { kind: 'order' };

/** FROM and WHERE of a statement. */
export interface Sources {
  /** The column that holds the record's id. */
  id: string;
  from: string;
  fromValues: SqlValue[];
  where: Condition[];
}

export interface SourceNeeds {
  /** The record itself must be there, as `r`. */
  records: boolean;
  /** The value row of the ordering field must be there, as `o`; missing for records without a row. */
  order?: boolean;
}

/** Value rows of one field in one mode, in the order of their keys. */
const BY_KEY = 'FORCE INDEX (record_values_key)';
const BY_ID = 'FORCE INDEX (PRIMARY)';

/** Whether the rows of a field tell all records that match: those without a row count as empty. */
export function canDrive(term: FilterTerm): boolean {
  return term.field.complete || !matchesEmpty(term);
}

/** The tables of a search, beginning with `driver`. */
export function sourcesOf(search: RecordSearch, driver: Driver, needs: SourceNeeds): Sources {
  const sources = driverSources(search, driver);
  if (needs.records && driver.kind !== 'records') {
    sources.from += ` JOIN records r ${BY_ID} ON r.id = ${sources.id}`;
    sources.where.push(...scopeConditions(search));
  }
  const ordering = orderingField(search);
  valueTerms(search).forEach((term, index) => {
    if (driver.kind === 'term' && driver.term === term) return;
    if (driver.kind === 'order' && term.field.id === ordering?.id) {
      sources.where.push(valueCondition(term, 'o'));
      return;
    }
    join(sources, `v${index}`, term.field.id, canDrive(term) ? 'JOIN' : 'LEFT JOIN');
    sources.where.push(valueCondition(term, `v${index}`));
  });
  if (needs.order === true && driver.kind !== 'order') join(sources, 'o', ordering?.id ?? 0, 'LEFT JOIN');
  return sources;
}

function driverSources(search: RecordSearch, driver: Driver): Sources {
  if (driver.kind === 'records') {
    const from = `records r ${recordIndex(search)}`;
    return { id: 'r.id', from, fromValues: [], where: scopeConditions(search) };
  }
  if (driver.kind === 'order') return keyRows('o', orderingField(search)?.id ?? 0, search);
  const sources = keyRows('d', driver.term.field.id, search);
  sources.where.push(valueCondition(driver.term, 'd'));
  return sources;
}

function keyRows(alias: string, fieldId: number, { testMode }: RecordSearch): Sources {
  return {
    id: `${alias}.record_id`,
    from: `record_values ${alias} ${BY_KEY}`,
    fromValues: [],
    where: [
      { sql: `${alias}.field_id = ?`, values: [fieldId] },
      { sql: `${alias}.test_mode = ?`, values: [testMode] },
    ],
  };
}

/** Records of one story have an index in order of creation; those of several are sorted, or picked from all. */
function recordIndex({ storyIds }: RecordSearch): string {
  if (storyIds === undefined) return 'FORCE INDEX (records_list)';
  return storyIds.length === 1 ? 'FORCE INDEX (records_story)' : 'USE INDEX (records_list, records_story)';
}

function join(sources: Sources, alias: string, fieldId: number, kind: 'JOIN' | 'LEFT JOIN'): void {
  sources.from += ` ${kind} record_values ${alias} ${BY_ID} ON ${alias}.record_id = ${sources.id} AND ${alias}.field_id = ?`;
  sources.fromValues.push(fieldId);
}
