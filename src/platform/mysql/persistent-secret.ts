import { randomBytes } from 'node:crypto';
import { memoize } from '../runtime/memoize.js';
import type { Database } from './database.js';

/** Gives a setting of this database that is `bytes` random bytes in hex, made by whoever asks first and kept for all. */
export function createMadeOnce(
  database: Pick<Database, 'read'>,
  { name, bytes }: { name: string; bytes: number },
): () => Promise<string> {
  return memoize(() =>
    database.read(async (session) => {
      // Whoever is first wins; everybody reads what is there. Not INSERT IGNORE: it can deadlock with its like, and
      // passes over a row that the victim then takes away again.
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
