import type { TableShape } from '../../../platform/mysql/schema/table-copy.js';
import type { CopiedRow } from './moved-row.js';

type Cells = readonly (Buffer | null)[];

/** Returns a row as a line: texts as they are, bytes in base64. `cells` may have one more than the table has columns. */
export function lineOf(cells: Cells, { columns }: Pick<TableShape, 'columns'>): string {
  return JSON.stringify(
    cells.map((cell, index) =>
      cell === null ? null : cell.toString(columns[index]?.isBinary === true ? 'base64' : 'utf8'),
    ),
  );
}

/** Returns the row in a line, and its further value. */
export function rowOf(
  line: string,
  { columns }: Pick<TableShape, 'columns'>,
): { row: CopiedRow; also: string | null } {
  const cells = JSON.parse(line) as (string | null)[];
  const row: CopiedRow = {};
  for (const [index, { name, isBinary }] of columns.entries()) {
    const cell = cells[index] ?? null;
    row[name] = cell !== null && isBinary ? Buffer.from(cell, 'base64') : cell;
  }
  return { row, also: cells[columns.length] ?? null };
}

/** Returns the cells of a row in the order of the columns. */
export function cellsOf(row: CopiedRow, { columns }: Pick<TableShape, 'columns'>): (Buffer | null)[] {
  return columns.map(({ name }) => {
    const cell = row[name] ?? null;
    return typeof cell === 'string' ? Buffer.from(cell) : cell;
  });
}
