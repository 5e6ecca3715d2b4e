import { isDuplicateKey } from '../db-errors.js';
import { retryLockConflicts } from '../commit/retry-conflicts.js';
import type { Session } from '../session.js';

/** The right to do a piece of work, as one holder has it. */
export interface HeldLease {
  name: string;
  /** Made anew each time a lease is taken. */
  holder: string;
  /** Grows with each holder: the work of an earlier one is told apart by it. */
  generation: number;
}

/** Creates the table of leases if it is missing. It cannot be a migration, because migrations run under a lease. */
export async function ensureLeases(session: Session): Promise<void> {
  const found = await session.rows(
    "SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 'leases'",
  );
  // Asked before: in a cluster, the statement below holds up every node even if the table exists.
  if (found.length > 0) return;
  await session.run(`
    CREATE TABLE IF NOT EXISTS leases (
    name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    holder CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    generation BIGINT UNSIGNED NOT NULL,
    held_until DATETIME(3) NOT NULL,
    PRIMARY KEY (name)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

/**
 * Takes the lease for `seconds` by the database's clock if it is free or has expired. Returns undefined if another process holds it. It is
 * committed on return: of two nodes that change the row at once, one is refused (decision 0075).
 */
export async function takeLease(
  session: Session,
  { name, holder }: Pick<HeldLease, 'name' | 'holder'>,
  seconds: number,
): Promise<HeldLease | undefined> {
  const take = () =>
    session.transact(async () => {
      const { affectedRows } = await session.run(
        `UPDATE leases SET holder = ?, generation = generation + 1, held_until = NOW(3) + INTERVAL ? SECOND
         WHERE name = ? AND (holder IN ('', ?) OR held_until < NOW(3))`,
        [holder, seconds, name, holder],
      );
      const [row] = await session.rows<{ generation: number }>(
        'SELECT generation FROM leases WHERE name = ?',
        [name],
      );
      if (row !== undefined) return affectedRows === 1 ? { name, holder, ...row } : undefined;
      await session.run(
        'INSERT INTO leases (name, holder, generation, held_until) VALUES (?, ?, 1, NOW(3) + INTERVAL ? SECOND)',
        [name, holder, seconds],
      );
      return { name, holder, generation: 1 };
    });
  try {
    return await retryLockConflicts(take);
  } catch (error) {
    // Another process was the first to insert the row.
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/** Prolongs the lease to `seconds` from now. Returns false if another process has taken it. */
export async function renewLease(
  session: Session,
  { name, holder, generation }: HeldLease,
  seconds: number,
): Promise<boolean> {
  const { affectedRows } = await retryLockConflicts(() =>
    session.run(
      'UPDATE leases SET held_until = NOW(3) + INTERVAL ? SECOND WHERE name = ? AND holder = ? AND generation = ?',
      [seconds, name, holder, generation],
    ),
  );
  return affectedRows === 1;
}

/** Frees the lease, if it is still held. */
export async function freeLease(session: Session, { name, holder, generation }: HeldLease): Promise<void> {
  await retryLockConflicts(() =>
    session.run("UPDATE leases SET holder = '' WHERE name = ? AND holder = ? AND generation = ?", [
      name,
      holder,
      generation,
    ]),
  );
}
