import type { Connection } from 'mysql2';
import { queryRows } from '../../../../platform/mysql/connections/copy-connection.js';
import type { CountedUpTo } from '../tenant-manifest.js';

const LONG_AGO = '1970-01-02 00:00:00.000';

/** Returns how far the statistics of an installation have counted. */
export async function readCounted(connection: Connection): Promise<CountedUpTo> {
  const rows = await queryRows<{ name: string; afterId: number; afterAt: string }>(
    connection,
    'SELECT name, after_id AS afterId, CAST(after_at AS CHAR) AS afterAt FROM counting_positions',
  );
  const position = (name: string) => rows.find((row) => row.name === name);
  return {
    events: position('events')?.afterId ?? 0,
    runs: position('runs')?.afterId ?? 0,
    deadLetters: position('dead_letters')?.afterAt ?? LONG_AGO,
  };
}
