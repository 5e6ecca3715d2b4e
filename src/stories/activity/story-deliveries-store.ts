import type { Database } from '../../platform/mysql/database.js';

/** The error text of a delivery that waits because its story or its agent is disabled. */
export const RESTING = 'Waits: the story or the action is disabled';

/**
 * Deletes deliveries by their ids, a JSON list that ascends. Joins by primary key: for IN (…) the server scans a small table,
 * and each batch waits for the locks of all others (rule 1).
 */
export const DELETE_DELIVERIES = `DELETE d FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
     STRAIGHT_JOIN deliveries d FORCE INDEX (PRIMARY) ON d.id = v.id`;

/** Rows of one statement; small transactions do not block the engine. */
const BATCH = 1_000;

type Deps = Pick<Database, 'read' | 'transaction'>;

/**
 * Wakes the story's deliveries that wait because it was disabled, without waiting for their next check (spec §3.7).
 * Deliveries that wait for a retry keep their time.
 */
export function wakeResting(database: Deps, storyId: number): Promise<void> {
  return wakeRestingOf(database, [storyId]);
}

/** The same for several stories, whose tenant was frozen. */
export async function wakeRestingOf(database: Deps, storyIds: readonly number[]): Promise<void> {
  if (storyIds.length === 0) return;
  await eachBatch(
    database,
    { storyIds, where: 'error = ? AND state = ?', values: [RESTING, 'waiting'] },
    (ids) =>
      database.read(async (session) => {
        await session.run(
          `UPDATE JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$')) v
         STRAIGHT_JOIN deliveries d ON d.id = v.id
         SET d.due_at = NOW(3) WHERE d.state = 'waiting' AND d.error = ?`,
          [JSON.stringify(ids), RESTING],
        );
      }),
  );
}

/**
 * Deletes every delivery of the story, dead letters included. To the engine a missing delivery is one that another worker
 * has done. A delivery that running work stores afterwards becomes a dead letter.
 */
export async function deleteStoryDeliveries(database: Deps, storyId: number): Promise<void> {
  await eachBatch(database, { storyIds: [storyId], where: 'TRUE', values: [] }, (ids) =>
    database.transaction(async (session) => {
      await session.run(DELETE_DELIVERIES, [JSON.stringify(ids)]);
    }),
  );
}

interface Wanted {
  storyIds: readonly number[];
  /** A constant of this file, never input. */
  where: string;
  values: string[];
}

/** Passes the ids of the stories' deliveries to `work`, in batches and in order. The SELECT takes no locks. */
async function eachBatch(
  database: Deps,
  { storyIds, where, values }: Wanted,
  work: (ids: number[]) => Promise<void>,
): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await database.read((session) =>
      session.rows<{ id: number }>(
        `SELECT id FROM deliveries WHERE id > ? AND story_id IN (?) AND ${where} ORDER BY id LIMIT ?`,
        [last, [...storyIds], ...values, BATCH],
      ),
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await work(ids);
    if (ids.length < BATCH) return;
    last = ids.at(-1) ?? last;
  }
}
