import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { MIGRATIONS, type Migration } from '../../../migrations/index.js';
import { isLockConflict } from './db-errors.js';

/** SQL of a lock name per database. It is hashed: MySQL allows 64 characters, which the database's name alone may have. */
const LOCK_NAME = "CONCAT('fabula.migrate.', LEFT(SHA2(DATABASE(), 256), 32))";
const LOCK_WAIT_SECONDS = 60;
/** Tries for a table in use; with the pause below about five minutes in all. */
const MAX_TRIES = 40;
const LOCK_PAUSE_MS = 3_000;

/** Ids without a file extension: the same for .ts in tests and .js in dist. */
const migrationSource: Knex.MigrationSource<string> = {
  getMigrations: () => Promise.resolve(Object.keys(MIGRATIONS)),
  getMigrationName: (id) => id,
  getMigration: (id) => Promise.resolve(migration(id)),
};

function migration(id: string): Migration {
  const found = MIGRATIONS[id];
  if (found === undefined) throw new Error(`There is no migration ${id}`);
  return found;
}

const CONFIG: Knex.MigratorConfig = {
  migrationSource,
  disableTransactions: true,
  // A database migrated by a newer version is valid: both versions run during a rolling release.
  disableMigrationsListValidation: true,
  tableName: 'migrations',
};

/**
 * Updates the schema; returns the ids of the migrations it ran. Safe when several releases start at once: they
 * take turns, and the later ones have nothing to do.
 */
export async function migrateLatest(knex: Knex): Promise<string[]> {
  return inTurn(knex, async () => {
    await knex.migrate.forceFreeMigrationsLock(CONFIG);
    const ran = await pendingMigrations(knex);
    await outlastLocks(() => knex.migrate.latest(CONFIG));
    return ran;
  });
}

/**
 * Reverts the newest `steps` migrations; returns their ids.
 * @throws Error when a newer version has migrated the database: its changes are unknown here.
 */
export async function migrateDown(knex: Knex, steps: number): Promise<string[]> {
  return inTurn(knex, async () => {
    const unknown = await unknownMigrations(knex);
    if (unknown.length > 0) {
      throw new Error(
        `A newer version has migrated this database; revert its migrations with that version first: ${unknown.join(', ')}`,
      );
    }
    const undone: string[] = [];
    for (let step = 0; step < steps; step++) {
      const [, ran] = (await outlastLocks(() => knex.migrate.down(CONFIG))) as [number, string[]];
      undone.push(...ran);
    }
    return undone;
  });
}

/** Returns the ids of migrations that have not been run on this database. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const [, pending] = (await knex.migrate.list(CONFIG)) as [unknown, (string | { file: string })[]];
  return pending.map((entry) => (typeof entry === 'string' ? entry : entry.file));
}

/** @throws Error when migrations have not been run: tables or columns that this version writes may be missing. */
export async function requireSchema(knex: Knex): Promise<void> {
  const { length } = await pendingMigrations(knex);
  if (length > 0) throw new Error(`${length} migrations have not been run`);
}

/** Returns the ids of migrations unknown to this version: a newer one has run them. */
export async function unknownMigrations(knex: Knex): Promise<string[]> {
  const [run] = (await knex.migrate.list(CONFIG)) as [{ name: string }[], unknown];
  return run.map(({ name }) => name).filter((name) => MIGRATIONS[name] === undefined);
}

/**
 * Retries while other statements use the table to change. A waiting change blocks all later statements, so it times out
 * soon (`lockWaitSeconds` of its connection) and lets them pass.
 */
async function outlastLocks<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      if (!isLockConflict(error) || tries === MAX_TRIES) throw error;
    }
    await sleep(LOCK_PAUSE_MS);
  }
}

/**
 * Runs `work` under a lock of the server. The lock belongs to one connection (hence the transaction), and is released
 * with it if this process dies; knex's own lock would remain, so it is freed under ours.
 */
async function inTurn<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  return knex.transaction(async (holder) => {
    const [[row]] = (await holder.raw(
      `SELECT GET_LOCK(${LOCK_NAME}, ?) AS held, @@SESSION.wait_timeout AS idleSeconds`,
      [LOCK_WAIT_SECONDS],
    )) as [{ held: number | null; idleSeconds: number }[]];
    if (row?.held !== 1) throw new Error('Another process has been migrating this database for a minute');
    // The lock's connection idles while another one migrates: the pool's short timeout would release the lock.
    await holder.raw('SET SESSION wait_timeout = 86400');
    try {
      return await work();
    } finally {
      await holder.raw(`SELECT RELEASE_LOCK(${LOCK_NAME})`);
      // Restores the default before the connection returns to the pool (rule 2).
      await holder.raw('SET SESSION wait_timeout = ?', [row.idleSeconds]);
    }
  });
}
