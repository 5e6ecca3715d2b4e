import { retryTransient } from '../../../../src/platform/mysql/connections/retry-transient.js';
import type { World } from '../../world.js';

/**
 * Returns a check that remarks on the longest run, of those that began at `since` or later (by the database's clock; default: of
 * all). It breaks no promise: a backlog makes runs longer, and after a fault there is one.
 */
export function tellLongestRun(world: World, since = '1970-01-02'): () => Promise<string[]> {
  return async () => {
    world.remark = `the longest run took ${await longestRunSeconds(world, since)} s`;
    return [];
  };
}

/** Returns the time of the database, for `tellLongestRun`: the first runs of new processes take seconds, whatever is done to them. */
export async function databaseNow({ stores }: World): Promise<string> {
  const [row] = await stores.db.read((session) =>
    session.rows<{ now: string }>('SELECT CAST(NOW(3) AS CHAR) AS now'),
  );
  return row?.now ?? '';
}

async function longestRunSeconds({ stores, story }: World, since: string): Promise<string> {
  const [row] = await retryTransient(() =>
    stores.db.read((session) =>
      session.rows<{ seconds: string | null }>(
        `SELECT MAX(seconds) AS seconds FROM (
           SELECT TIMESTAMPDIFF(MICROSECOND, MIN(created_at), MAX(created_at)) / 1000000 AS seconds
           FROM events WHERE story_id = ? GROUP BY story_run_guid HAVING MIN(created_at) >= ?) runs`,
        [story.id, since],
      ),
    ),
  );
  return Number(row?.seconds ?? 0).toFixed(1);
}
