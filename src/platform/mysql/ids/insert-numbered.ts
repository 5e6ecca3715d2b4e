import { isDuplicateKey, IdsRefused, NotAsInserted } from '../db-errors.js';
import { type RowInsert, rowStatements } from '../statements/row-statements.js';
import type { Session } from '../session.js';
import type { RunResult, SqlValue } from '../statements/sql.js';
import type { IdRange, NumberedTable } from './id-range.js';

/** Rows to insert into a table with reserved ids. */
export interface NumberedInsert<Row extends SqlValue[]> extends RowInsert<Row> {
  table: NumberedTable;
}

/** The server's error for a number out of range; no other statement of ours causes it. */
const OUT_OF_RANGE = 1690;
const FAIL = '~0 + 1';

/**
 * Inserts rows with as few statements as possible. Returns their ids in the rows' order (rule 6; notes/stores.md, Reserved ids): ids that
 * were reserved, and that the statements name; of a row that is inserted alone, the id that the server gave it.
 * @throws IdsRefused, NotAsInserted; the driver's errors.
 */
export async function insertNumbered<Row extends SqlValue[]>(
  session: Session,
  insert: NumberedInsert<Row>,
): Promise<number[]> {
  const count = insert.rows.length;
  const range = await session.ids.take(insert.table, count);
  if (range === undefined) return insertSingly(session, insert);
  const sizes = insert.rows.map((row, index) => insert.sizeOf(row, index));
  const numbered = {
    table: insert.table,
    columns: ['id', ...insert.columns],
    rows: insert.rows.map((row, index): SqlValue[] => [range.first + index, ...row]),
    sizeOf: (_row: SqlValue[], index: number) => sizes[index] ?? 0,
  };
  for (const { sql, rows } of rowStatements(numbered)) await insertUntil(session, { sql, rows, range });
  return Array.from({ length: count }, (_, index) => range.first + index);
}

async function insertSingly<Row extends SqlValue[]>(
  session: Session,
  insert: NumberedInsert<Row>,
): Promise<number[]> {
  const ids: number[] = [];
  for (const { sql, rows } of rowStatements(insert, 1)) {
    const stored = await session.insert(sql, rows);
    checkStored(stored, { table: insert.table, rows: 1, lastId: stored.insertId });
    ids.push(stored.insertId);
  }
  return ids;
}

interface NumberedStatement {
  sql: string;
  rows: SqlValue[][];
  range: IdRange;
}

async function insertUntil(session: Session, { sql, rows, range }: NumberedStatement): Promise<void> {
  const lastId = Number(rows.at(-1)?.[0]);
  const stored = await session.insert(sql, guardTime(rows, range)).catch((error: unknown) => {
    throw isRefusal(error) ? new IdsRefused(error) : error;
  });
  checkStored(stored, { table: sql, rows: rows.length, lastId });
}

/** Returns rows of which the server rejects the first, once the time of their ids is over. */
function guardTime([first = [], ...rest]: SqlValue[][], { usableUntil }: IdRange): SqlValue[][] {
  const [id, ...cells] = first;
  const sql = `IF(NOW(3) <= '${usableUntil}', ${Number(id)}, ${FAIL})`;
  return [[{ toSqlString: () => sql }, ...cells], ...rest];
}

/** The time is over, or another process has such a row: the tables have one unique key. */
function isRefusal(error: unknown): boolean {
  return isDuplicateKey(error) || (error as { errno?: unknown } | null)?.errno === OUT_OF_RANGE;
}

/** The server reports the last id that a statement names; so it has stored each row under the id that its run expects. */
function checkStored(
  { affectedRows, insertId }: RunResult,
  expected: { table: string; rows: number; lastId: number },
): void {
  if (affectedRows === expected.rows && insertId === expected.lastId) return;
  throw new NotAsInserted(
    `The database stored ${affectedRows} of ${expected.rows} rows up to id ${insertId} instead of ${expected.lastId}`,
  );
}
