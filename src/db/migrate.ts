import type { Knex } from 'knex';
import { MIGRATIONS, type Migration } from '../../migrations/index.js';

const LOCK_NAME = 'fabula.migrate';
const LOCK_WAIT_SECONDS = 60;

/** Ids without an extension: the same whether run from .ts in tests or .js in dist (STACK, knex). */
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
  tableName: 'migrations',
};

/**
 * Brings the schema up to date and gives the ids of the migrations it ran. Safe when several releases start
 * at once: they take turns, and the later ones find nothing to do.
 */
export async function migrateLatest(knex: Knex): Promise<string[]> {
  return inTurn(knex, async () => {
    await knex.migrate.forceFreeMigrationsLock(CONFIG);
    const [, ran] = (await knex.migrate.latest(CONFIG)) as [number, string[]];
    return ran;
  });
}

/** Takes back the newest `steps` migrations; gives their ids. */
export async function migrateDown(knex: Knex, steps: number): Promise<string[]> {
  return inTurn(knex, async () => {
    const undone: string[] = [];
    for (let step = 0; step < steps; step++) {
      const [, ran] = (await knex.migrate.down(CONFIG)) as [number, string[]];
      undone.push(...ran);
    }
    return undone;
  });
}

/** The ids of migrations that have not been run on this database. */
export async function pendingMigrations(knex: Knex): Promise<string[]> {
  const [, pending] = (await knex.migrate.list(CONFIG)) as [unknown, (string | { file: string })[]];
  return pending.map((entry) => (typeof entry === 'string' ? entry : entry.file));
}

/**
 * Holds a lock of the server's while `work` runs. It belongs to one connection (hence the transaction), and
 * goes with it if this process dies; knex's own lock would stay, so it is freed under ours.
 */
async function inTurn<T>(knex: Knex, work: () => Promise<T>): Promise<T> {
  return knex.transaction(async (holder) => {
    const [[row]] = (await holder.raw('SELECT GET_LOCK(CONCAT(DATABASE(), ?), ?) AS held', [
      `.${LOCK_NAME}`,
      LOCK_WAIT_SECONDS,
    ])) as [{ held: number | null }[]];
    // The holder idles while another connection migrates: the pool's short time-out would cost it the lock.
    await holder.raw('SET SESSION wait_timeout = 86400');
    if (row?.held !== 1) throw new Error('Another process has been migrating this database for a minute');
    try {
      return await work();
    } finally {
      await holder.raw('SELECT RELEASE_LOCK(CONCAT(DATABASE(), ?))', [`.${LOCK_NAME}`]);
    }
  });
}
