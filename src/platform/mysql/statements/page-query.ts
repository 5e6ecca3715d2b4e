import type { Session } from '../session.js';
import type { SqlValue } from './sql.js';

/** A list as SQL: stores write its parts, only `values` are user input. */
export interface ListQuery {
  columns: string;
  /** Table and joins. */
  from: string;
  where: string;
  values: SqlValue[];
  /** Must end with an id, so that pages never overlap. */
  order: string;
}

export interface Page<Item> {
  items: Item[];
  /** Number of items on all pages. */
  total: number;
}

/** Rows to skip and to return. */
export interface Window {
  offset: number;
  limit: number;
}

/** Returns one page of the list, and the length of the list. */
export async function readPage<Row>(
  session: Session,
  { columns, from, where, values, order }: ListQuery,
  { offset, limit }: Window,
): Promise<Page<Row>> {
  const [count] = await session.rows<{ total: number }>(
    `SELECT COUNT(*) AS total FROM ${from} WHERE ${where}`,
    values,
  );
  const total = count?.total ?? 0;
  if (offset >= total) return { items: [], total };
  const items = await session.rows<Row>(
    `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`,
    [...values, limit, offset],
  );
  return { items, total };
}

/** For `IN (?)`, which must not be empty: no row has the id 0. */
export function idsOrNone(ids: readonly number[]): number[] {
  return ids.length === 0 ? [0] : [...ids];
}

/** Returns a pattern for a part of a text, with wildcards escaped; for `LIKE ? ESCAPE '!'`. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[!%_]/g, '!$&')}%`;
}

/**
 * Returns the `SET` of an UPDATE: the columns whose value is not undefined. The store defines the names, never input.
 * Undefined when there is nothing to set.
 */
export function assignments(
  columns: Record<string, SqlValue | undefined>,
): { sql: string; values: SqlValue[] } | undefined {
  const given = Object.entries(columns).filter(
    (entry): entry is [string, SqlValue] => entry[1] !== undefined,
  );
  if (given.length === 0) return undefined;
  return {
    sql: given.map(([column]) => `${column} = ?`).join(', '),
    values: given.map(([, value]) => value),
  };
}
