import type { Session } from '../session.js';
import type { LeaseOptions } from './under-lease.js';

/** SQL of a lock name per database. It is hashed: MySQL allows 64 characters, which the database's name alone may have. */
const LOCK_NAME = "CONCAT('fabula.migrate.', LEFT(SHA2(DATABASE(), 256), 32))";

/**
 * Runs `work` while the session has the lock that releases up to 0.8 take in place of the lease. It holds on one server only. It can go
 * when no release up to 0.8 can run beside: in 0.10.
 * @throws Error(`busy`) if another session has it for too long.
 */
export async function besideOldReleases<T>(
  session: Session,
  { waitSeconds, busy }: Pick<LeaseOptions, 'waitSeconds' | 'busy'>,
  work: () => Promise<T>,
): Promise<T> {
  // Second by second: the lease is prolonged on the same session.
  for (let second = 0; !(await isTaken(session)); second++) {
    if (second >= waitSeconds) throw new Error(busy);
  }
  try {
    return await work();
  } finally {
    await session.rows(`SELECT RELEASE_LOCK(${LOCK_NAME})`);
  }
}

async function isTaken(session: Session): Promise<boolean> {
  const [row] = await session.rows<{ held: number | null }>(`SELECT GET_LOCK(${LOCK_NAME}, 1) AS held`);
  return row?.held === 1;
}
