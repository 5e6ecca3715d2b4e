import { type Connection, escape, escapeId } from 'mysql2';
import { queryRows } from '../connections/copy-connection.js';

/** Length of one INSERT, in characters; a single row may be longer. */
const STATEMENT_CHARACTERS = 512 * 1024;
/** Rows that are read before they are needed; each may have many MiB. */
const ROWS_AHEAD = 16;

/** A table as it can be created again. */
export interface TableShape {
  name: string;
  /** CREATE TABLE in one line, with the next id. */
  create: string;
  columns: { name: string; isBinary: boolean }[];
  /** The columns of the primary key: rows are read in its order. */
  key: string[];
}

/** Several rows of a table as one INSERT in one line. */
export interface InsertOfRows {
  sql: string;
  rows: number;
}

/** Returns the tables of the database, by name. @throws Error for a table without a primary key. */
export async function readShapes(connection: Connection): Promise<TableShape[]> {
  const tables = await queryRows<{ name: string }>(
    connection,
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const shapes: TableShape[] = [];
  for (const { name } of tables) shapes.push(await shapeOf(connection, name));
  return shapes;
}

async function shapeOf(connection: Connection, name: string): Promise<TableShape> {
  const [made] = await queryRows<{ 'Create Table': string }>(
    connection,
    `SHOW CREATE TABLE ${escapeId(name)}`,
  );
  const columns = await queryRows<{ name: string; type: string }>(
    connection,
    `SELECT column_name AS name, data_type AS type FROM information_schema.columns
     WHERE table_schema = DATABASE() AND table_name = ${escape(name)}
       AND COALESCE(generation_expression, '') = '' ORDER BY ordinal_position`,
  );
  const key = await queryRows<{ name: string }>(
    connection,
    `SELECT column_name AS name FROM information_schema.statistics
     WHERE table_schema = DATABASE() AND table_name = ${escape(name)} AND index_name = 'PRIMARY'
     ORDER BY seq_in_index`,
  );
  if (key.length === 0) throw new Error(`The table ${name} has no primary key`);
  return {
    name,
    create: (made?.['Create Table'] ?? '').replaceAll(/\n\s*/g, ' '),
    columns: columns.map((column) => ({ name: column.name, isBinary: BINARY.test(column.type) })),
    key: key.map((column) => column.name),
  };
}

const BINARY = /blob$|binary$|^bit$|^geometry$/i;

/** Reads all rows of a table, in the order of its primary key: equal rows give equal statements. */
export async function* readInserts(connection: Connection, shape: TableShape): AsyncGenerator<InsertOfRows> {
  const rows = readRows(connection, shape);
  const head = insertHead(shape);
  let tuples: string[] = [];
  let characters = 0;
  for await (const row of rows) {
    const tuple = tupleOf(row, shape);
    if (tuples.length > 0 && characters + tuple.length > STATEMENT_CHARACTERS) {
      yield { sql: head + tuples.join(','), rows: tuples.length };
      [tuples, characters] = [[], 0];
    }
    tuples.push(tuple);
    characters += tuple.length;
  }
  if (tuples.length > 0) yield { sql: head + tuples.join(','), rows: tuples.length };
}

/** The rows to read of a table. */
export interface RowChoice {
  /** An SQL condition; all rows unless given. */
  where?: string;
  /** SQL expressions that follow the table's own columns. */
  also?: readonly string[];
}

/** Reads rows as the server sends them, in the order of the primary key: no value is converted on the way. */
export function readRows(
  connection: Connection,
  shape: TableShape,
  { where = 'TRUE', also = [] }: RowChoice = {},
): AsyncIterable<(Buffer | null)[]> {
  const columns = [...shape.columns.map(({ name }) => escapeId(name)), ...also].join(', ');
  const order = shape.key.map((name) => escapeId(name)).join(', ');
  return connection
    .query({
      sql: `SELECT ${columns} FROM ${escapeId(shape.name)} WHERE ${where} ORDER BY ${order}`,
      rowsAsArray: true,
      typeCast: (field) => field.buffer(),
    })
    .stream({ highWaterMark: ROWS_AHEAD });
}

/** Returns the start of an INSERT into all columns; tuples follow. */
export function insertHead({ name, columns }: TableShape): string {
  return `INSERT INTO ${escapeId(name)} (${columns.map((column) => escapeId(column.name)).join(', ')}) VALUES `;
}

/** Returns a row as a tuple of an INSERT. */
export function tupleOf(row: readonly (Buffer | null)[], { columns }: TableShape): string {
  return `(${columns.map(({ isBinary }, index) => literal(row[index] ?? null, isBinary)).join(',')})`;
}

/** Line ends within texts are escaped, so a statement stays in one line. */
function literal(value: Buffer | null, isBinary = false): string {
  if (value === null) return 'NULL';
  return isBinary ? `X'${value.toString('hex')}'` : escape(value.toString('utf8'));
}

/** Deletes all tables of the database. */
export async function dropTables(connection: Connection): Promise<void> {
  const names = (await readTableNames(connection)).map((name) => escapeId(name));
  if (names.length > 0) await queryRows(connection, `DROP TABLE ${names.join(', ')}`);
}

/** Returns the names of all tables and views of the database. */
export async function readTableNames(connection: Connection): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    connection,
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  );
  return rows.map(({ name }) => name);
}

/** Returns the time of the server, as ISO 8601 in UTC. */
export async function readDatabaseTime(connection: Connection): Promise<string> {
  const [row] = await queryRows<{ seconds: string }>(connection, 'SELECT UNIX_TIMESTAMP(NOW(3)) AS seconds');
  return new Date(Number(row?.seconds) * 1000).toISOString();
}

/** Returns the ids of the migrations that have run, in their order. */
export async function readMigrationNames(connection: Connection): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(connection, 'SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
}
