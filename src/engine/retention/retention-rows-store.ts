import type { Session } from '../../platform/mysql/session.js';

/*
 * What all kinds have in common. Names of tables and columns are ours, never input.
 */

/** A row that was looked at: `due` when its time is over, `free` when nothing needs it besides. 0 or 1. */
export interface LookedAt {
  id: number;
  at?: string;
  due: number;
  free: number;
}

/** Where a walk is: rows come in the order of their ids, or, where `at` says so, of their time and then their ids. */
export interface RowCursor {
  id: number;
  /** As the database writes times; of rows that come in the order of their ids it means nothing. */
  at: string;
}

export const FIRST_ROW: RowCursor = { id: 0, at: '1000-01-01 00:00:00.000' };

/** Where to go on in a table, and how far. */
export interface RetentionPage {
  /** Whose rows; unused where rows belong to nobody. */
  ownerId: number;
  after: RowCursor;
  limit: number;
  /** Nothing is deleted, only counted. */
  countOnly: boolean;
}

/** What became of a page. */
export interface Cleared {
  deleted: number;
  last: RowCursor;
  /** There may be due rows beyond `last`. */
  more: boolean;
  /** What is left of the rows up to this one is due, and stays for another reason than its age. */
  settled: RowCursor;
  /** Whether the page was nothing but due rows. */
  allDue: boolean;
}

/** Sums up a page: its rows come due in their order, but for a few that were stored side by side. */
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

/** Deletes rows by their ids, ascending, straight by the primary key (rule 1); gives how many were there. */
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

/** As `deleteByIds`, for a key of ASCII text, or its last part: `scope` fixes the other part. */
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

/** The next id above `afterId` in a column that an index begins with: one look, however many rows share an id. */
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

/** Those of the ids that are no agents, or no stories, any more. */
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
