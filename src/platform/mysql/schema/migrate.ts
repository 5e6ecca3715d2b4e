import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { BASELINE, BASELINE_RELEASE, FORMER, isBeforeBaseline } from '../../../../migrations/former.js';
import { isKnownMigration, MIGRATIONS, type Migration } from '../../../../migrations/index.js';
import type { Database } from '../database.js';
import { isLockConflict } from '../db-errors.js';
import { type Turn, underLease } from '../lease/under-lease.js';
import type { Session } from '../session.js';

/** One for each database: leases are rows of it. */
const LEASE_NAME = 'migrate';
const WAIT_SECONDS = 60;
const BUSY = 'Another process has been migrating this database for over a minute';
/** Tries for a table in use; with the pause below about five minutes in all. */
const MAX_TRIES = 40;
const LOCK_PAUSE_MS = 3_000;

/** Ids without a file extension: the same for .ts in tests and .js in dist. Each step is run and noted in `turn` alone. */
const sourceOf = (turn?: Turn): Knex.MigrationSource<string> => ({
  getMigrations: () => Promise.resolve(Object.keys(MIGRATIONS)),
  getMigrationName: (id) => id,
  getMigration: (id) => Promise.resolve(turn === undefined ? migration(id) : fenced(migration(id), turn)),
});

function migration(id: string): Migration {
  const found = MIGRATIONS[id];
  if (found === undefined) throw new Error(`There is no migration ${id}`);
  return found;
}

/** A step cannot be undone with its note, as statements that change tables commit. So it fails between the two. */
function fenced(plain: Migration, turn: Turn): Migration {
  const during = (step: (knex: Knex) => Promise<void>) => async (knex: Knex) => {
    await turn.prolong();
    await step(knex);
    await turn.prolong();
  };
  return { up: during((knex) => plain.up(knex)), down: during(async (knex) => plain.down?.(knex)) };
}

const configOf = (turn?: Turn): Knex.MigratorConfig => ({
  migrationSource: sourceOf(turn),
  disableTransactions: true,
  // A database migrated by a newer version is valid: both versions run during a rolling release.
  disableMigrationsListValidation: true,
  tableName: 'migrations',
});

/** The part of the database that migrations need. */
export type MigratedDatabase = Pick<Database, 'knex' | 'read'>;

/**
 * Updates the schema; returns the ids of the migrations it ran. Safe when several releases start at once, on any nodes of a
 * cluster: they take turns, and the later ones have nothing to do.
 * @throws LeaseLost if this process stood still for so long that another one has taken over; Error, before any step, if the
 * database is of a release before the baseline's.
 */
export async function migrateLatest(database: MigratedDatabase): Promise<string[]> {
  const { knex } = database;
  return inTurn(database, async (turn) => {
    const config = configOf(turn);
    await noteBaseline(knex, turn);
    await knex.migrate.forceFreeMigrationsLock(config);
    const ran = await pendingMigrations(knex);
    await outlastLocks(() => knex.migrate.latest(config));
    return ran;
  });
}

/** Notes the baseline on a database that has it from the former migrations. @throws Error if it has only a part of it. */
async function noteBaseline(knex: Knex, turn: Turn): Promise<void> {
  const noted = await notedMigrations(knex);
  if (isBeforeBaseline(noted)) {
    throw new Error(
      `This database was created by a release before ${BASELINE_RELEASE}: run "migrate" of Fabula ${BASELINE_RELEASE} first, then of this version`,
    );
  }
  if (noted.includes(BASELINE) || !FORMER.some((id) => noted.includes(id))) return;
  await turn.prolong();
  await knex.raw(
    'INSERT INTO migrations (name, batch, migration_time) SELECT ?, MAX(batch) + 1, NOW() FROM migrations',
    [BASELINE],
  );
}

/**
 * Reverts the newest `steps` migrations, or all but the baseline; returns their ids.
 * @throws Error when a newer version has migrated the database: its changes are unknown here.
 */
export async function migrateDown(database: MigratedDatabase, steps: number): Promise<string[]> {
  const { knex } = database;
  return inTurn(database, async (turn) => {
    const unknown = await unknownMigrations(knex);
    if (unknown.length > 0) {
      throw new Error(
        `This database was migrated by a newer version; revert its migrations with that version first: ${unknown.join(', ')}`,
      );
    }
    const revertible = (await notedMigrations(knex)).filter((id) => MIGRATIONS[id]?.down !== undefined);
    const undone: string[] = [];
    for (let step = 0; step < Math.min(steps, revertible.length); step++) {
      const [, ran] = (await outlastLocks(() => knex.migrate.down(configOf(turn)))) as [number, string[]];
      undone.push(...ran);
    }
    return undone;
  });
}

/** Returns when one of the former migrations was run on this database, by itself or in the baseline; undefined if that is not noted. */
export async function findFormerTime(session: Session, id: string): Promise<Date | undefined> {
  const [row] = await session.rows<{ at: Date | null }>(
    'SELECT MIN(migration_time) AS at FROM migrations WHERE name IN (?, ?)',
    [id, BASELINE],
  );
  return row?.at ?? undefined;
}

/** Returns the ids of migrations that have not been run on this database. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const [, pending] = (await knex.migrate.list(configOf())) as [unknown, (string | { file: string })[]];
  return pending.map((entry) => (typeof entry === 'string' ? entry : entry.file));
}

/** @throws Error when migrations have not been run: tables or columns that this version writes may be missing. */
export async function requireSchema(knex: Knex): Promise<void> {
  const { length } = await pendingMigrations(knex);
  if (length > 0) throw new Error(`${length} migrations have not been run`);
}

/** Returns the ids of migrations unknown to this version: a newer one has run them. */
export async function unknownMigrations(knex: Knex): Promise<string[]> {
  return (await notedMigrations(knex)).filter((id) => !isKnownMigration(id));
}

async function notedMigrations(knex: Knex): Promise<string[]> {
  const [run] = (await knex.migrate.list(configOf())) as [{ name: string }[], unknown];
  return run.map(({ name }) => name);
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

/** Runs `work` under the lease; knex's own lock would remain if this process died, so it is freed under ours. */
function inTurn<T>({ read }: MigratedDatabase, work: (turn: Turn) => Promise<T>): Promise<T> {
  return read((session) =>
    underLease(session, { name: LEASE_NAME, waitSeconds: WAIT_SECONDS, busy: BUSY }, work),
  );
}
