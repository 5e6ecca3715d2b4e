import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';

/**
 * Gives this database's epoch: short, random, made once, changed by a restore. It keeps job ids and
 * idempotency keys of one life of the database apart from those of another (rule 8).
 */
export function createEpoch(database: Pick<Database, 'read'>): () => Promise<string> {
  let known: string | undefined;
  return async () => {
    known ??= await database.read(async (session) => {
      // Whoever is first wins; everybody reads what is there.
      await session.run("INSERT IGNORE INTO settings (name, value) VALUES ('epoch', ?)", [
        randomBytes(4).toString('hex'),
      ]);
      const [row] = await session.rows<{ value: string }>("SELECT value FROM settings WHERE name = 'epoch'");
      if (row === undefined) throw new Error('The database has no epoch');
      return row.value;
    });
    return known;
  };
}
