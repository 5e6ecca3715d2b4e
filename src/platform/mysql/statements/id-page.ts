import type { Page, Window } from './page-query.js';
import type { Session } from '../session.js';
import type { SqlValue } from './sql.js';

/**
 * Lists that stories extend without limit are counted up to this, and have no pages beyond it: older entries are found by
 * narrowing the list. Counting a hundred thousand entries of an index takes about 30 ms; a million would take ten times
 * that for each page (MariaDB 10.11, 2 cores).
 */
export const MAX_COUNT = 100_000;

/** A list of ids as SQL: stores write its parts, only `values` are user input. */
export interface IdQuery {
  id: string;
  /** Table and joins, with their index hints. */
  from: string;
  where: string;
  values: SqlValue[];
  /** Must end with an id, so that pages never overlap. */
  order: string;
}

/** Returns the number of rows, up to `limit`. */
export async function countUpTo(
  session: Session,
  { from, where, values }: Pick<IdQuery, 'from' | 'where' | 'values'>,
  limit = MAX_COUNT,
): Promise<number> {
  const [row] = await session.rows<{ total: number }>(
    `SELECT COUNT(*) AS total FROM (SELECT 1 FROM ${from} WHERE ${where} LIMIT ?) counted`,
    [...values, limit],
  );
  return row?.total ?? 0;
}

/** Returns the ids of a page of the list; `total` is the result of `countUpTo`. */
export async function readIds(
  session: Session,
  { id, from, where, values, order }: IdQuery,
  { window: { offset, limit }, total }: { window: Window; total: number },
): Promise<Page<number>> {
  if (offset >= total) return { items: [], total };
  const rows = await session.rows<{ id: number }>(
    `SELECT ${id} AS id FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    [...values, limit, offset],
  );
  return { items: rows.map((row) => row.id), total };
}
