import type { Session } from '../../../platform/mysql/session.js';

/*
 * Shared by all kinds. Names of tables and columns are constants of this folder, never input.
 */

/** A checked row: `due` if past its retention time, `free` if nothing else needs it. 0 or 1. */
export interface LookedAt {
  id: number;
  /** 0 if the archive lacks it; absent: there is no archive that needs it. */
  archived?: number;
  at?: string;
  due: number;
  free: number;
}

/** Position of a walk through rows, ordered by id, or by time and then id if the rows have an `at`. */
export interface RowCursor {
  id: number;
  /** A time in the format of the database; unused for rows ordered by id. */
  at: string;
}

export const FIRST_ROW: RowCursor = { id: 0, at: '1000-01-01 00:00:00.000' };

/** The next page of a table. */
export interface RetentionPage {
  /** Owner of the rows; unused for rows without owners. */
  ownerId: number;
  after: RowCursor;
  limit: number;
  /** Whether rows are only counted, not deleted. */
  countOnly: boolean;
  /** Whether only rows are deleted that the archive has. */
  onlyArchived: boolean;
}

/** The result of clearing a page. */
export interface Cleared {
  deleted: number;
  last: RowCursor;
  /** Whether there may be due rows after `last`. */
  more: boolean;
  /** Rows up to this one are due; those that remain are needed by something else. */
  settled: RowCursor;
  /** Whether all rows of the page were due. */
  allDue: boolean;
}

/** Returns the result of a page. Rows become due in their order, except a few that were stored at the same time. */
export function clearedOf(rows: LookedAt[], { after, limit }: RetentionPage, deleted: number): Cleared {
  const firstYoung = rows.findIndex(({ due }) => due !== 1);
  const leading = firstYoung === -1 ? rows : rows.slice(0, firstYoung);
  const last = rows.at(-1);
  return {
    deleted,
    last: cursorOf(last, after),
    more: rows.length === limit && last?.due === 1,
    settled: cursorOf(leading.at(-1), after),
    allDue: firstYoung === -1,
  };
}

function cursorOf(row: LookedAt | undefined, otherwise: RowCursor): RowCursor {
  return row === undefined ? otherwise : { id: row.id, at: row.at ?? otherwise.at };
}

/** Deletes rows by id, ascending, by primary key (rule 1); returns the number deleted. */
export async function deleteByIds(
  session: Session,
  { table, column = 'id' }: { table: string; column?: string },
  ids: number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { affectedRows } = await session.run(
    `DELETE t FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN ${table} t FORCE INDEX (PRIMARY) ON t.${column} = v.id`,
    [JSON.stringify(ids.toSorted((a, b) => a - b))],
  );
  return affectedRows;
}

/** Deletes events and the values by which the search finds them; returns the number of events. */
export async function deleteEvents(session: Session, ids: number[]): Promise<number> {
  await deleteByIds(session, { table: 'run_values', column: 'event_id' }, ids);
  return deleteByIds(session, { table: 'events' }, ids);
}

/** Like `deleteByIds`, for a key of ASCII text or the last part of a key; `scope` is the other part. */
export async function deleteByNames(
  session: Session,
  { table, column, scope }: { table: string; column: string; scope?: { column: string; id: number } },
  names: string[],
): Promise<number> {
  if (names.length === 0) return 0;
  const fixed = scope === undefined ? '' : `t.${scope.column} = ? AND`;
  const { affectedRows } = await session.run(
    `DELETE t FROM JSON_TABLE(?, '$[*]' COLUMNS (name VARCHAR(191) PATH '$')) v
     STRAIGHT_JOIN ${table} t FORCE INDEX (PRIMARY)
       ON ${fixed} t.${column} = CONVERT(v.name USING ascii) COLLATE ascii_bin`,
    [JSON.stringify(names.toSorted()), ...(scope === undefined ? [] : [scope.id])],
  );
  return affectedRows;
}

/** Returns the next id above `afterId` in the first column of an index: one seek, however many rows share an id. */
export async function nextOwner(
  session: Session,
  { table, column }: { table: string; column: string },
  afterId: number,
): Promise<number | undefined> {
  const [row] = await session.rows<{ id: number }>(
    `SELECT ${column} AS id FROM ${table} WHERE ${column} > ? ORDER BY ${column} LIMIT 1`,
    [afterId],
  );
  return row?.id;
}

/** Returns the ids whose agents or stories no longer exist. */
export async function findGone(
  session: Session,
  table: 'agents' | 'stories',
  ids: number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await session.rows<{ id: number }>(`SELECT id FROM ${table} WHERE id IN (?)`, [ids]);
  const there = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !there.has(id));
}
