import { retryTransient } from '../../../../src/platform/mysql/retry-transient.js';
import type { World } from '../../world.js';

/**
 * Returns a check that remarks on the longest run. It breaks no promise: a backlog makes runs longer, and after a fault there
 * is one.
 */
export function tellLongestRun(world: World): () => Promise<string[]> {
  return async () => {
    world.remark = `the longest run took ${await longestRunSeconds(world)} s`;
    return [];
  };
}

async function longestRunSeconds({ stores, story }: World): Promise<string> {
  const [row] = await retryTransient(() =>
    stores.db.read((session) =>
      session.rows<{ seconds: string | null }>(
        `SELECT MAX(seconds) AS seconds FROM (
           SELECT TIMESTAMPDIFF(MICROSECOND, MIN(created_at), MAX(created_at)) / 1000000 AS seconds
           FROM events WHERE story_id = ? GROUP BY story_run_guid) runs`,
        [story.id],
      ),
    ),
  );
  return Number(row?.seconds ?? 0).toFixed(1);
}
