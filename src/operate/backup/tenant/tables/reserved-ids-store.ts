import { escapeId } from 'mysql2';
import type { Database } from '../../../../platform/mysql/database.js';
import type { Session } from '../../../../platform/mysql/session.js';

/** Left out between the table's next id and the range: ids that others take at the same moment. */
const BESIDE = 1_000;

/**
 * Reserves `count` ids of each table: its counter goes past them, and does not go back when the rows that moved it are
 * rolled back (notes/stores.md, Reserved ids). Returns the first id of each range, by table.
 */
export function reserveIds(
  database: Pick<Database, 'read'>,
  counts: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  return database.read((session) =>
    session.discard(async () => {
      const first = new Map<string, number>();
      for (const [table, count] of counts) first.set(table, await reserve(session, table, count));
      return first;
    }),
  );
}

async function reserve(session: Session, table: string, count: number): Promise<number> {
  const { insertId } = await session.run(`INSERT IGNORE INTO ${escapeId(table)} () VALUES ()`);
  const first = insertId + BESIDE;
  const last = first + count - 1;
  if (insertId === 0 || !Number.isSafeInteger(last)) throw new Error(`No ids of ${table} can be reserved`);
  await session.run(`INSERT IGNORE INTO ${escapeId(table)} (id) VALUES (?)`, [last]);
  return first;
}
