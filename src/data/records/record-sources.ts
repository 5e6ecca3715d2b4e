import type { SqlValue } from '../../platform/mysql/statements/sql.js';
import { type Condition, matchesEmpty, valueCondition } from './search/filter-condition.js';
import type { FilterTerm } from './search/record-filter.js';
import { orderingField, type RecordSearch, scopeConditions, valueTerms } from './search/record-search.js';

/**
 * The first table of a statement: the records of the type in their order of creation, the value rows of one
 * term, or those of the ordering field. The other tables are joined by their primary keys, in the written order
 * (`STRAIGHT_JOIN`): the planner's own choice is wrong by a factor of a hundred here (notes/data.md, Records).
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
  /** The record itself is needed, as `r`. */
  records: boolean;
  /** The value row of the ordering field is needed, as `o`; a left join, because some records have no row. */
  order?: boolean;
}

/** Reads value rows of one field in one mode, in the order of their keys. */
const BY_KEY = 'FORCE INDEX (record_values_key)';
const BY_ID = 'FORCE INDEX (PRIMARY)';

/** Whether the field's rows cover all matching records: records without a row count as empty. */
export function canDrive(term: FilterTerm): boolean {
  return term.field.complete || !matchesEmpty(term);
}

/** Returns the tables of a search, with `driver` first. */
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

/** One story has an index in order of creation. Records of several stories are sorted, or filtered from all. */
function recordIndex({ storyIds }: RecordSearch): string {
  if (storyIds === undefined) return 'FORCE INDEX (records_list)';
  return storyIds.length === 1 ? 'FORCE INDEX (records_story)' : 'USE INDEX (records_list, records_story)';
}

function join(sources: Sources, alias: string, fieldId: number, kind: 'JOIN' | 'LEFT JOIN'): void {
  sources.from += ` ${kind} record_values ${alias} ${BY_ID} ON ${alias}.record_id = ${sources.id} AND ${alias}.field_id = ?`;
  sources.fromValues.push(fieldId);
}
