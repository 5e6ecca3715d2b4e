import type { Session } from '../../../platform/mysql/session.js';
import type { SqlValue } from '../../../platform/mysql/statements/sql.js';
import { AGENT_COUNTS, columnsOf, STORY_COUNTS } from './counts.js';
import type { Tally } from './tally.js';

/** Adds the sums to the hours. To be called in the transaction that moves the position. */
export async function addCounts(session: Session, tally: Tally): Promise<void> {
  await addSums(session, {
    table: 'story_counts',
    keys: ['story_id', 'hour'],
    columns: columnsOf(STORY_COUNTS),
    rows: tally.stories().map((row) => [row.id, row.at, ...STORY_COUNTS.map((name) => row[name])]),
  });
  await addSums(session, {
    table: 'agent_counts',
    keys: ['agent_id', 'hour'],
    columns: columnsOf(AGENT_COUNTS),
    rows: tally.agents().map((row) => [row.id, row.at, ...AGENT_COUNTS.map((name) => row[name])]),
  });
  await addSums(session, {
    table: 'duration_counts',
    keys: ['story_id', 'hour', 'bucket'],
    columns: ['runs'],
    rows: tally.durations().map(({ id, at, bucket, runs }) => [id, at, bucket, runs]),
  });
}

/** Adds rows to those with the same keys. Each row has its keys, then a number for each column. */
export async function addSums(
  session: Session,
  { table, keys, columns, rows }: { table: string; keys: string[]; columns: string[]; rows: SqlValue[][] },
): Promise<void> {
  if (rows.length === 0) return;
  await session.run(
    `INSERT INTO ${table} (${[...keys, ...columns].join(', ')}) VALUES ?
     ON DUPLICATE KEY UPDATE ${columns.map((name) => `${name} = ${name} + VALUES(${name})`).join(', ')}`,
    [rows],
  );
}

const TABLES = ['story_counts', 'agent_counts', 'duration_counts'] as const;

/** Deletes up to `limit` hours of each table that are older than `days`. Returns the largest number deleted. */
export async function deleteOldCounts(
  session: Session,
  { days, limit }: { days: number; limit: number },
): Promise<number> {
  let most = 0;
  for (const table of TABLES) {
    const { affectedRows } = await session.run(
      `DELETE FROM ${table} WHERE hour < UTC_TIMESTAMP() - INTERVAL ? DAY ORDER BY hour LIMIT ?`,
      [days, limit],
    );
    most = Math.max(most, affectedRows);
  }
  return most;
}
