import type { IdQuery } from './id-page.js';
import type { ListQuery, Page, Window } from './page-query.js';
import type { Session } from '../session.js';
import type { SqlValue } from './sql.js';

/** A place in a list, newest first: after the row with this id, and with this time if the list has the order of times. */
export interface Cursor {
  time?: Date | undefined;
  id: number;
}

/** Rows to skip and to return; with `after`, the first of them is the next after that place, and `offset` has no effect. */
export interface WalkWindow extends Window {
  after?: Cursor | undefined;
}

/** Returns the number of rows to skip: none after a place. */
export function rowsBefore({ offset, after }: WalkWindow): number {
  return after === undefined ? offset : 0;
}

/** A page, and the place where the next one begins; null: it is the last one. */
export interface WalkPage<Item> extends Page<Item> {
  next: Cursor | null;
}

/** A list as SQL that grows at its beginning. `time` is the column of its order, before the id. */
export interface NewestQuery extends Omit<IdQuery, 'order'> {
  time?: string;
}

/** A list in which nothing can be. */
export const NO_PAGE = { items: [], total: 0, next: null };

/** Returns the ids of a page of the list, newest first; `total` is the result of `countUpTo`. */
export async function readNewest(
  session: Session,
  { id, time, from, where, values }: NewestQuery,
  { window, total }: { window: WalkWindow; total: number },
): Promise<WalkPage<number>> {
  const { offset, limit, after } = window;
  if (after === undefined && offset >= total) return { ...NO_PAGE, total };
  const place = placeAfter(after, { id, time });
  // One more row than the page has tells whether there is a next page.
  const rows = await session.rows<Cursor>(
    `SELECT ${id} AS id${time === undefined ? '' : `, ${time} AS time`} FROM ${from} WHERE ${where}${place.sql}
     ORDER BY ${newestFirst({ id, time })} LIMIT ? OFFSET ?`,
    [...values, ...place.values, limit + 1, rowsBefore(window)],
  );
  const { items, next } = pageOf(rows, limit, (row) => row);
  return { items: items.map((row) => row.id), total, next };
}

/** A list of whole rows that grows at its beginning; `placeOf` returns the values of the order's columns. */
export interface NewestRows<Row> extends Omit<ListQuery, 'order'> {
  order: NewestOrder;
  placeOf: (row: Row) => Cursor;
}

/** Returns a page of the list, newest first, and the length of the list. */
export async function readNewestRows<Row>(
  session: Session,
  { columns, from, where, values, order, placeOf }: NewestRows<Row>,
  window: WalkWindow,
): Promise<WalkPage<Row>> {
  const { limit, after } = window;
  const [count] = await session.rows<{ total: number }>(
    `SELECT COUNT(*) AS total FROM ${from} WHERE ${where}`,
    values,
  );
  const total = count?.total ?? 0;
  const place = placeAfter(after, order);
  const rows = await session.rows<Row>(
    `SELECT ${columns} FROM ${from} WHERE ${where}${place.sql} ORDER BY ${newestFirst(order)} LIMIT ? OFFSET ?`,
    [...values, ...place.values, limit + 1, rowsBefore(window)],
  );
  return { ...pageOf(rows, limit, placeOf), total };
}

/** Returns the page of rows that were asked for with one row more, and the place of the next page. */
export function pageOf<Row>(
  rows: Row[],
  limit: number,
  placeOf: (row: Row) => Cursor,
): Omit<WalkPage<Row>, 'total'> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? placeOf(last) : null };
}

/** The columns of an order, newest first. */
export interface NewestOrder {
  id: string;
  time?: string | undefined;
}

/** Returns the order as SQL. */
export function newestFirst({ id, time }: NewestOrder): string {
  return time === undefined ? `${id} DESC` : `${time} DESC, ${id} DESC`;
}

/** Returns the end of a WHERE that leaves the rows after the place. The index of the list has it as a range. */
export function placeAfter(
  after: Cursor | undefined,
  order: NewestOrder,
): { sql: string; values: SqlValue[] } {
  if (after === undefined) return { sql: '', values: [] };
  const { sql, values } = afterPlace(after, order);
  return { sql: ` AND ${sql}`, values };
}

/** Returns the condition for rows after the place. */
export function afterPlace(after: Cursor, { id, time }: NewestOrder): { sql: string; values: SqlValue[] } {
  if (time === undefined || after.time === undefined) return { sql: `${id} < ?`, values: [after.id] };
  return {
    sql: `${time} <= ? AND (${time} < ? OR ${id} < ?)`,
    values: [after.time, after.time, after.id],
  };
}
