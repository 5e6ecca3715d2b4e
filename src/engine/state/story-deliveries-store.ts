import type { Database } from '../../platform/mysql/database.js';
import { deleteDeliveries } from './delivery-store.js';

/** What a delivery says that rests because its story or its agent is disabled. */
export const RESTING = 'Waits: the story or the action is disabled';

/** Rows of one statement: small transactions keep out of the engine's way. */
const BATCH = 1_000;

type Deps = Pick<Database, 'read' | 'transaction'>;

/**
 * Has the deliveries of the story that rest because of disabling go on now instead of at their next look
 * (spec §3.7). Those that wait for a retry keep their time.
 */
export async function wakeResting(database: Deps, storyId: number): Promise<void> {
  await eachBatch(
    database,
    { storyId, where: 'error = ? AND state = ?', values: [RESTING, 'waiting'] },
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
 * Deletes every delivery of the story, dead letters too. The engine takes a delivery that is gone for one that
 * somebody else has done; one that is stored by work under way becomes a dead letter of its own.
 */
export async function deleteStoryDeliveries(database: Deps, storyId: number): Promise<void> {
  await eachBatch(database, { storyId, where: 'TRUE', values: [] }, (ids) =>
    database.transaction(async (session) => {
      await deleteDeliveries(session, ids);
    }),
  );
}

interface Wanted {
  storyId: number;
  /** Ours, never input. */
  where: string;
  values: string[];
}

/** Goes through the story's deliveries by id; the look itself locks nothing. */
async function eachBatch(
  database: Deps,
  { storyId, where, values }: Wanted,
  work: (ids: number[]) => Promise<void>,
): Promise<void> {
  for (let last = 0; ; ) {
    const rows = await database.read((session) =>
      session.rows<{ id: number }>(
        `SELECT id FROM deliveries WHERE id > ? AND story_id = ? AND ${where} ORDER BY id LIMIT ?`,
        [last, storyId, ...values, BATCH],
      ),
    );
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await work(ids);
    if (ids.length < BATCH) return;
    last = ids.at(-1) ?? last;
  }
}
