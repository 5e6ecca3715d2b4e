import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../src/platform/mysql/database.js';
import { isLockConflict } from '../../../src/platform/mysql/db-errors.js';
import { defineScenario } from '../scenario.js';

const SHORT_MS = 8_000;
const LONG_MS = 60_000;
/** Longer than anybody waits for a lock. */
const HELD_MS = 3_600;
const ROWS = 40;

export const mysqlLocks = defineScenario({
  name: 'mysql-locks',
  sentence:
    'Side sessions lock rows of deliveries for longer than anybody waits, and others in an order that deadlocks.',
  async hurt({ stores: { db } }, { short }) {
    const before = await lockWaits(db);
    const until = Date.now() + (short ? SHORT_MS : LONG_MS);
    const again = async (work: () => Promise<void>) => {
      while (Date.now() < until) {
        await work().catch((error: unknown) => {
          if (!isLockConflict(error)) throw error;
        });
      }
    };
    await Promise.all([again(() => holdRows(db)), again(() => crossRows(db)), again(() => crossRows(db))]);
    const waits = (await lockWaits(db)) - before;
    return () => Promise.resolve(waits > 0 ? [] : ['nobody had to wait for a lock: nothing was tried']);
  },
});

/** Locks the oldest rows, as a writer that hangs would. */
async function holdRows(db: Database): Promise<void> {
  await db.transaction(async (session) => {
    await session.rows('SELECT id FROM deliveries ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED', [ROWS]);
    await sleep(HELD_MS);
  });
}

/** Locks rows one by one, the newest first: against the order of the writers. */
async function crossRows(db: Database): Promise<void> {
  await db
    .transaction(async (session) => {
      const rows = await session.rows<{ id: number }>('SELECT id FROM deliveries ORDER BY id DESC LIMIT ?', [
        ROWS,
      ]);
      for (const { id } of rows) {
        await session.run('UPDATE deliveries SET awaited = 1 - awaited WHERE id = ?', [id]);
      }
      // The change is rolled back: only the locks are wanted.
      throw new TakenBack();
    })
    .catch((error: unknown) => {
      if (!(error instanceof TakenBack)) throw error;
    });
  await sleep(20);
}

class TakenBack extends Error {}

async function lockWaits(db: Database): Promise<number> {
  const [row] = await db.read((session) =>
    session.rows<{ Value: string }>("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'"),
  );
  return Number(row?.Value ?? 0);
}
