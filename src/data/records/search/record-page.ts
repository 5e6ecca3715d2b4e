import { afterPlace, type WalkWindow } from '../../../platform/mysql/statements/newest-page.js';
import type { Window } from '../../../platform/mysql/statements/page-query.js';
import type { Session } from '../../../platform/mysql/session.js';
import { type Direction, isScoped, orderingField, type RecordSearch } from './record-search.js';
import { type Driver, sourcesOf } from '../record-sources.js';
import { countIds, selectIds } from './record-sql-store.js';

const FILLED = [{ sql: 'o.sort_key IS NOT NULL', values: [] }];
const REVERSE: Record<Direction, Direction> = { ASC: 'DESC', DESC: 'ASC' };
const BY_CREATION = { id: 'r.id', time: 'r.created_at' };
const EMPTY = [{ sql: 'o.sort_key IS NULL', values: [] }];

/** The first table of the statement, and the number of all matching records. */
export interface PagePlan {
  driver: Driver;
  total: number;
}

/** Returns the ids of a page of the search. Reads only indexes; the caller reads the records. */
export function readRecordIds(
  search: RecordSearch,
  plan: PagePlan,
  window: WalkWindow,
  session: Session,
): Promise<number[]> {
  const { driver } = plan;
  if (orderingField(search) === undefined) return readByCreation(search, plan, window, session);
  if (driver.kind === 'order') return readAlongField(search, window, session);
  const { direction } = search.order;
  const sources = sourcesOf(search, driver, { records: isScoped(search), order: true });
  const order = `o.sort_key IS NULL, o.sort_key ${direction}, ${sources.id} ${direction}`;
  return selectIds(sources, { ...window, order }, session);
}

/** In order of creation, from the nearer end: the last page costs no more than the first. */
async function readByCreation(
  search: RecordSearch,
  { driver, total }: PagePlan,
  { offset, limit, after }: WalkWindow,
  session: Session,
): Promise<number[]> {
  const { direction } = search.order;
  const backwards = offset > total / 2;
  const length = Math.min(limit, total - offset);
  const skipped = backwards ? total - offset - length : offset;
  const walked = backwards ? REVERSE[direction] : direction;
  const sources = sourcesOf(search, driver, { records: true });
  const order = `r.created_at ${walked}, r.id ${walked}`;
  const where = after === undefined ? [] : [afterPlace(after, BY_CREATION)];
  const ids = await selectIds(sources, { where, offset: skipped, limit: length, order }, session);
  return backwards ? ids.toReversed() : ids;
}

/** In the order of the field's index: records with a value first, then those without, in either direction. */
async function readAlongField(
  search: RecordSearch,
  { offset, limit }: Window,
  session: Session,
): Promise<number[]> {
  const { direction } = search.order;
  const sources = sourcesOf(search, { kind: 'order' }, { records: isScoped(search) });
  const order = `o.sort_key ${direction}, o.record_id ${direction}`;
  const filled = await selectIds(sources, { where: FILLED, order, offset, limit }, session);
  if (filled.length === limit) return filled;
  // If this page has records with a value, the empty ones begin right after them.
  const skipped =
    filled.length > 0 || offset === 0 ? offset + filled.length : await countIds(sources, FILLED, session);
  const rest = { offset: Math.max(0, offset - skipped), limit: limit - filled.length };
  return [...filled, ...(await readEmpties(search, rest, session))];
}

/** Reads the records without a value in the ordering field, by id: from its index if that is complete, else from the records. */
function readEmpties(search: RecordSearch, window: Window, session: Session): Promise<number[]> {
  const { direction } = search.order;
  const driver: Driver = orderingField(search)?.complete === true ? { kind: 'order' } : { kind: 'records' };
  const sources = sourcesOf(search, driver, { records: isScoped(search), order: true });
  return selectIds(sources, { ...window, where: EMPTY, order: `${sources.id} ${direction}` }, session);
}
