import { randomBytes } from 'node:crypto';
import type { Database } from '../database.js';
import { createPersistentSecret } from './persistent-secret.js';
import type { Session } from '../session.js';

const EPOCH = { name: 'epoch', bytes: 4 };
/** Cache time, the same as for other cached values: then every process knows a new epoch (rule 18). */
const HOLD_MS = 5_000;

/**
 * Returns a function for this database's epoch: short, random, created once, changed by a restore. It separates the job ids
 * of the database before and after a restore; an old Redis may still contain earlier ones (rule 8).
 */
export function createEpoch(
  database: Pick<Database, 'read'>,
  holdMs: number = HOLD_MS,
): () => Promise<string> {
  const make = createPersistentSecret(database, EPOCH);
  let known: { epoch: string; until: number } | undefined;
  let looking: Promise<string> | undefined;

  const look = async () => {
    const epoch = (await database.read(findEpoch)) ?? (await make());
    known = { epoch, until: performance.now() + holdMs };
    return epoch;
  };

  return async () => {
    if (known !== undefined && performance.now() < known.until) return known.epoch;
    looking ??= look().finally(() => (looking = undefined));
    if (known === undefined) return looking;
    // Refreshes in the background; while the database is unreachable, the known epoch stays valid.
    const { epoch } = known;
    looking.catch(() => (known = { epoch, until: performance.now() + holdMs }));
    return epoch;
  };
}

/** Starts a new epoch of the database, and returns it. Running processes read it within seconds. */
export async function renewEpoch(session: Session): Promise<string> {
  const epoch = randomBytes(EPOCH.bytes).toString('hex');
  await session.run('REPLACE INTO settings (name, value) VALUES (?, ?)', [EPOCH.name, epoch]);
  return epoch;
}

/** Returns a function for this installation's id: random, created once, and kept by a restore. */
export function createInstallation(database: Pick<Database, 'read'>): () => Promise<string> {
  return createPersistentSecret(database, { name: 'installation', bytes: 4 });
}

async function findEpoch(session: Session): Promise<string | undefined> {
  const [row] = await session.rows<{ value: string }>('SELECT value FROM settings WHERE name = ?', [
    EPOCH.name,
  ]);
  return row?.value;
}
