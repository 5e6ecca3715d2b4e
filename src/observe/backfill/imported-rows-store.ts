import type { Session } from '../../platform/mysql/session.js';

/** Rows of a tenant that was moved here: their statistics came with it. */
export interface ImportedRows {
  table: 'events' | 'story_runs' | 'deliveries';
  firstId: number;
  lastId: number;
  /** For dead letters: those that had failed up to then; null for other tables. As the database writes times. */
  countedUntil: string | null;
}

/** Notes rows that are not to be counted. Call it before they are inserted. */
export async function noteImported(rows: ImportedRows, session: Session): Promise<void> {
  const { table, firstId, lastId, countedUntil } = rows;
  await session.run(
    'INSERT INTO imported_rows (table_name, first_id, last_id, counted_until) VALUES (?, ?, ?, ?)',
    [table, firstId, lastId, countedUntil],
  );
}

/** Removes the note of rows that are not there after all. */
export async function forgetImported(
  { table, firstId }: Pick<ImportedRows, 'table' | 'firstId'>,
  session: Session,
): Promise<void> {
  await session.run('DELETE FROM imported_rows WHERE table_name = ? AND first_id = ?', [table, firstId]);
}

/** Returns the imported rows of a table with an id above `afterId`. Each import adds one range. */
export function findImported(
  table: ImportedRows['table'],
  afterId: number,
  session: Session,
): Promise<ImportedRows[]> {
  return session.rows<ImportedRows>(
    `SELECT table_name AS \`table\`, first_id AS firstId, last_id AS lastId, CAST(counted_until AS CHAR) AS countedUntil
     FROM imported_rows WHERE table_name = ? AND last_id > ?`,
    [table, afterId],
  );
}

/** Returns true if a row's statistics came with its tenant. `dueAt`: when a dead letter failed. */
export function isImported(
  { id, dueAt }: { id: number; dueAt?: string },
  imported: readonly ImportedRows[],
): boolean {
  return imported.some(
    ({ firstId, lastId, countedUntil }) =>
      id >= firstId && id <= lastId && (countedUntil === null || (dueAt ?? '') <= countedUntil),
  );
}
