import { randomBytes } from 'node:crypto';
import type { Database } from './database.js';
import { createMadeOnce } from './persistent-secret.js';
import type { Session } from './session.js';

const EPOCH = { name: 'epoch', bytes: 4 };
/** As long as other things are held in memory: a new epoch is known everywhere after it (rule 18). */
const HOLD_MS = 5_000;

/**
 * Gives this database's epoch: short, random, made once, changed by a restore. It keeps the ids of jobs of one life of the
 * database apart from those of another, which an old Redis may still hold (rule 8).
 */
export function createEpoch(
  database: Pick<Database, 'read'>,
  holdMs: number = HOLD_MS,
): () => Promise<string> {
  const make = createMadeOnce(database, EPOCH);
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
    // Nobody waits for a second look; while the database is away, the epoch that is known goes on.
    const { epoch } = known;
    looking.catch(() => (known = { epoch, until: performance.now() + holdMs }));
    return epoch;
  };
}

/** Begins a new life of the database; gives its epoch. Processes that run take it up within seconds. */
export async function renewEpoch(session: Session): Promise<string> {
  const epoch = randomBytes(EPOCH.bytes).toString('hex');
  await session.run('REPLACE INTO settings (name, value) VALUES (?, ?)', [EPOCH.name, epoch]);
  return epoch;
}

/** Gives what is this installation's alone: random, made once, and kept by a restore. */
export function createInstallation(database: Pick<Database, 'read'>): () => Promise<string> {
  return createMadeOnce(database, { name: 'installation', bytes: 4 });
}

async function findEpoch(session: Session): Promise<string | undefined> {
  const [row] = await session.rows<{ value: string }>('SELECT value FROM settings WHERE name = ?', [
    EPOCH.name,
  ]);
  return row?.value;
}
