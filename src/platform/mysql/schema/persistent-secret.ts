import { randomBytes } from 'node:crypto';
import { memoize } from '../../runtime/memoize.js';
import type { Database } from '../database.js';

/** Returns a function for a setting of `bytes` random bytes in hex: the first process creates it, all others read it. */
export function createPersistentSecret(
  database: Pick<Database, 'read'>,
  { name, bytes }: { name: string; bytes: number },
): () => Promise<string> {
  return memoize(() =>
    database.read(async (session) => {
      // The first insert wins; all then read the stored row. Not INSERT IGNORE: two can deadlock, and it skips a row
      // that the deadlock's victim then removes again.
      await session.run(
        'INSERT INTO settings (name, value) VALUES (?, ?) ON DUPLICATE KEY UPDATE name = VALUES(name)',
        [name, randomBytes(bytes).toString('hex')],
      );
      const [row] = await session.rows<{ value: string }>('SELECT value FROM settings WHERE name = ?', [
        name,
      ]);
      if (row === undefined) throw new Error(`The database has no setting ${name}`);
      return row.value;
    }),
  );
}
