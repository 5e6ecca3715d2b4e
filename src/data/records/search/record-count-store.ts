import { randomInt } from 'node:crypto';
import { CLAIM } from '../../../platform/mysql/lease/claim-rows.js';
import type { Session } from '../../../platform/mysql/session.js';

/** Number of rows for each count, so that concurrent writers rarely lock the same one; readers sum them. */
const SHARDS = 16;

/** Records that are inserted (`by` 1) or deleted (-1). */
export interface CountChange {
  typeId: number;
  testMode: boolean;
  by: number;
}

/** Counts records in the transaction that writes them, so the totals are always exact. */
export async function countRecordChanges(changes: readonly CountChange[], session: Session): Promise<void> {
  const sums = new Map<string, CountChange>();
  for (const change of changes) {
    const key = `${change.typeId} ${change.testMode}`;
    sums.set(key, { ...change, by: change.by + (sums.get(key)?.by ?? 0) });
  }
  if (sums.size === 0) return;
  const shard = randomInt(SHARDS);
  // In one order everywhere, so that two transactions do not deadlock.
  const rows = [...sums.values()]
    .toSorted((a, b) => a.typeId - b.typeId || Number(a.testMode) - Number(b.testMode))
    .map(({ typeId, testMode, by }) => [typeId, testMode, shard, by]);
  await session.run(
    `INSERT INTO record_counts (record_type_id, test_mode, shard, records) VALUES ?
     ON DUPLICATE KEY UPDATE records = records + VALUES(records)`,
    [rows],
  );
}

/**
 * Lets the transaction exclude all that insert or delete records of the type on other nodes, because they count them. On
 * its own node the lock of the type does.
 */
export async function claimCounts(typeId: number, session: Session): Promise<void> {
  const shards = Array.from({ length: SHARDS }, (_, shard) => shard);
  const rows = [0, 1].flatMap((testMode) => shards.map((shard) => [typeId, testMode, shard, 0]));
  await session.run(
    `INSERT INTO record_counts (record_type_id, test_mode, shard, records) VALUES ?
     ON DUPLICATE KEY UPDATE ${CLAIM}`,
    [rows],
  );
}

/** Returns the number of live or test records of a type. */
export async function totalOf(typeId: number, testMode: boolean, session: Session): Promise<number> {
  const [row] = await session.rows<{ n: number }>(
    'SELECT CAST(COALESCE(SUM(records), 0) AS SIGNED) AS n FROM record_counts WHERE record_type_id = ? AND test_mode = ?',
    [typeId, testMode],
  );
  return row?.n ?? 0;
}
