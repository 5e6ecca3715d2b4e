import { createConnection, type RowDataPacket } from 'mysql2/promise';

const ROWS = 500;

/**
 * Copies a database as `mysqldump --single-transaction` and loading its output would: tables and rows of one moment, and
 * the next ids, while others go on writing. `to` must be empty. Calls `onMoment` when the moment is fixed.
 */
export async function copyDatabase(from: string, to: string, onMoment?: () => void): Promise<void> {
  const source = await createConnection({ uri: from, dateStrings: true, timezone: 'Z' });
  const target = await createConnection({ uri: to, dateStrings: true, timezone: 'Z' });
  try {
    for (const connection of [source, target]) await connection.query("SET SESSION time_zone = '+00:00'");
    await source.query('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    await source.query('START TRANSACTION WITH CONSISTENT SNAPSHOT');
    onMoment?.();
    const [tables] = await source.query<RowDataPacket[]>({ sql: 'SHOW TABLES', rowsAsArray: true });
    for (const [table] of tables as unknown as [string][]) {
      const [[made]] = await source.query<RowDataPacket[]>({
        sql: `SHOW CREATE TABLE ${table}`,
        rowsAsArray: true,
      });
      await target.query(String((made as unknown as string[])[1]));
      const [rows] = await source.query<RowDataPacket[]>({
        sql: `SELECT * FROM ${table}`,
        rowsAsArray: true,
      });
      for (let at = 0; at < rows.length; at += ROWS) {
        await target.query(`INSERT INTO ${table} VALUES ?`, [rows.slice(at, at + ROWS)]);
      }
    }
  } finally {
    await Promise.all([source.end(), target.end()]);
  }
}
