import type { Session } from '../../../platform/mysql/session.js';

/**
 * Locks these runs until the transaction ends, so that they get no new work (`holdRun`). Returns the guids that it locked
 * at once, and those without a run; the others are locked by another transaction.
 */
export async function lockIdleRuns(session: Session, guids: string[]): Promise<Set<string>> {
  if (guids.length === 0) return new Set();
  const locked = await session.rows<{ guid: string }>(
    `SELECT guid FROM story_runs FORCE INDEX (story_runs_guid)
     WHERE guid IN (?) ORDER BY guid FOR UPDATE SKIP LOCKED`,
    [guids],
  );
  const ours = new Set(locked.map(({ guid }) => guid));
  const others = guids.filter((guid) => !ours.has(guid));
  if (others.length === 0) return ours;
  const held = await session.rows<{ guid: string }>('SELECT guid FROM story_runs WHERE guid IN (?)', [
    others,
  ]);
  const taken = new Set(held.map(({ guid }) => guid));
  for (const guid of others) if (!taken.has(guid)) ours.add(guid);
  return ours;
}
