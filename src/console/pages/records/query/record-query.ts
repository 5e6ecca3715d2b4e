import { isOperator, needsValue, type Operator } from './filter-operators.js';

/** One condition; all of them hold for each record of the list. */
export interface RecordFilter {
  field: number;
  operator: Operator;
  /** Empty beside an operator that needs none. A time is ISO 8601 in UTC. */
  value: string;
}

/** The list that is asked for; all of it stands in the address. */
export interface RecordQuery {
  /** The id of the record type; the newest one if absent. */
  type: number | undefined;
  filters: RecordFilter[];
  /** Creation time, ISO 8601 in UTC: from this, and before that. */
  from: string;
  to: string;
  /** The id of the field that orders the list; by creation if absent. */
  order: number | undefined;
  direction: 'ASC' | 'DESC';
  /** Ids of the fields that are shown; all of them if empty. */
  columns: number[];
  tests: boolean;
  /** The bars of the chart: spans of creation time, or values of the field with this id. */
  chart: '' | 'time' | `${number}`;
  /** The id of the field whose numbers the bars add up; they count records if absent. */
  measure: number | undefined;
  page: number;
}

/** The API takes no more. */
export const MOST_FILTERS = 20;
const MOST_COLUMNS = 500;

/** Returns the list that an address names; what it names wrongly is as absent. */
export function recordQueryIn(address: string): RecordQuery {
  const given = new URLSearchParams(address);
  const chart = given.get('chart') ?? '';
  const columns = (given.get('columns') ?? '').split(',').slice(0, MOST_COLUMNS);
  return {
    type: idIn(given.get('type')),
    filters: given.getAll('f').slice(0, MOST_FILTERS).flatMap(filterIn),
    from: timeIn(given.get('from')),
    to: timeIn(given.get('to')),
    order: idIn(given.get('order')),
    direction: given.get('direction') === 'ASC' ? 'ASC' : 'DESC',
    columns: columns.flatMap((text) => idIn(text) ?? []),
    tests: given.get('tests') === 'true',
    chart: chart === 'time' || idIn(chart) !== undefined ? (chart as RecordQuery['chart']) : '',
    measure: idIn(given.get('measure')),
    page: idIn(given.get('page')) ?? 1,
  };
}

/** Returns the query of an address; it names only what differs from the usual list. */
export function addressOfRecords(query: RecordQuery): string {
  const given = new URLSearchParams();
  const set = (name: string, value: string | number | undefined, usual: string | number = '') => {
    if (value !== undefined && value !== '' && value !== usual) given.set(name, String(value));
  };
  set('type', query.type);
  for (const { field, operator, value } of query.filters) given.append('f', `${field}.${operator}.${value}`);
  set('from', query.from);
  set('to', query.to);
  set('order', query.order);
  set('direction', query.direction, 'DESC');
  set('columns', query.columns.join(','));
  if (query.tests) given.set('tests', 'true');
  set('chart', query.chart);
  set('measure', query.measure);
  set('page', query.page, 1);
  return given.toString();
}

function filterIn(text: string): RecordFilter[] {
  const [, id = '', operator = '', value = ''] = /^(\d+)\.([A-Z_]+)\.(.*)$/s.exec(text) ?? [];
  const field = idIn(id);
  if (field === undefined || !isOperator(operator)) return [];
  return [{ field, operator, value: needsValue(operator) ? value : '' }];
}

function idIn(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

function timeIn(text: string | null): string {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? '' : new Date(time).toISOString();
}
