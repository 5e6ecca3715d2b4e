import type { WalkWindow } from '../../../platform/mysql/statements/newest-page.js';
import type { Window } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import { matchesEmpty, valueCondition } from './filter-condition.js';
import { totalOf } from './record-count-store.js';
import type { FilterTerm } from './record-filter.js';
import { readRecordIds } from './record-page.js';
import { isScoped, orderingField, type RecordSearch, valueTerms } from './record-search.js';
import { canDrive, type Driver, sourcesOf } from '../record-sources.js';
import { countIds, countOthers, estimateRows } from './record-sql-store.js';

/** A driver, and the estimated number of its rows that cover all matches. */
interface Candidate {
  driver: Driver;
  rows: number;
}

/** Cost factor of reading a row out of order: a look-up, and a sort at the end. */
const DISORDER = 2;

const ALL: Driver = { kind: 'records' };

/**
 * Returns the ids of a page of the search, and the exact number of all matching records. The count comes first, because
 * it decides how the page is read.
 */
export async function searchRecords(
  search: RecordSearch,
  window: WalkWindow,
  session: Session,
): Promise<{ ids: number[]; total: number }> {
  const all = await totalOf(search.typeId, search.testMode, session);
  const { inScope, filters } = await estimates(search, all, session);
  // Without a scope, a filter's own index suffices to count. With a scope, reading the records may take fewer rows.
  const candidates =
    isScoped(search) || filters.length === 0 ? [{ driver: ALL, rows: inScope }, ...filters] : filters;
  const narrowest = candidates.reduce((best, next) => (next.rows < best.rows ? next : best));
  const total = await countMatches(search, { narrowest, all }, session);
  if (window.offset >= total) return { ids: [], total };
  const driver = pageDriver(search, window, { narrowest, total, inScope, all });
  return { ids: await readRecordIds(search, { driver, total }, window, session), total };
}

/** Returns the server's estimates of the records in scope and of the matches of each filter that can drive the search. */
async function estimates(
  search: RecordSearch,
  all: number,
  session: Session,
): Promise<{ inScope: number; filters: Candidate[] }> {
  const terms = valueTerms(search);
  const scope = { ...search, terms: search.terms.filter((term) => !terms.includes(term)) };
  const guess = async (alone: RecordSearch, driver: Driver) =>
    Math.min(all, await estimateRows(sourcesOf(alone, driver, { records: false }), session));

  const filters: Candidate[] = [];
  for (const term of terms.filter(canDrive)) {
    const driver: Driver = { kind: 'term', term };
    filters.push({ driver, rows: await guess({ ...search, terms: [term] }, driver) });
  }
  return { inScope: isScoped(search) ? await guess(scope, ALL) : all, filters };
}

async function countMatches(
  search: RecordSearch,
  { narrowest, all }: { narrowest: Candidate; all: number },
  session: Session,
): Promise<number> {
  const terms = valueTerms(search);
  const scoped = isScoped(search);
  const [only] = terms;
  if (only === undefined && !scoped) return all;
  if (
    only !== undefined &&
    terms.length === 1 &&
    !scoped &&
    isBetterCountedByRest(only, narrowest.rows, all)
  ) {
    const { typeId, testMode } = search;
    const rest = valueCondition(oppositeOf(only), 'd');
    return countOthers({ typeId, testMode, fieldId: only.field.id }, rest, session);
  }
  return countIds(sourcesOf(search, narrowest.driver, { records: scoped }), [], session);
}

/** Whether counting the records that do not match is faster, or the only way. */
function isBetterCountedByRest(term: FilterTerm, rows: number, all: number): boolean {
  if (matchesEmpty(term)) return term.operator === 'NOT_EQUAL' || !canDrive(term);
  return term.operator === 'IS_NOT_EMPTY' && term.field.complete && rows > all / 2;
}

const OPPOSITE: Partial<Record<FilterTerm['operator'], FilterTerm['operator']>> = {
  EQUAL: 'NOT_EQUAL',
  NOT_EQUAL: 'EQUAL',
  IS_EMPTY: 'IS_NOT_EMPTY',
  IS_NOT_EMPTY: 'IS_EMPTY',
};

/** Returns the term with the opposite operator. Only for operators that may be counted by the rest. */
function oppositeOf(term: FilterTerm): FilterTerm {
  const operator = OPPOSITE[term.operator];
  if (operator === undefined) throw new Error(`${term.operator} has no opposite`);
  return { ...term, operator };
}

/**
 * Chooses between walking along the wanted order until the page is full, and sorting all rows of the narrowest filter:
 * the one that visits fewer rows, assuming that the matches are spread evenly.
 */
function pageDriver(
  search: RecordSearch,
  { offset, limit }: Window,
  known: { narrowest: Candidate; total: number; inScope: number; all: number },
): Driver {
  const ordered: Driver = orderingField(search) === undefined ? ALL : { kind: 'order' };
  const rows = ordered.kind === 'order' ? known.all : known.inScope;
  // In order of creation, the page is read from the nearer end.
  const skipped =
    ordered.kind === 'order' ? offset : Math.min(offset, Math.max(0, known.total - offset - limit));
  const visited = (skipped + limit) * (rows / known.total);
  return visited <= known.narrowest.rows * DISORDER ? ordered : known.narrowest.driver;
}
