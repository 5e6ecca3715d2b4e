import type { Knex } from 'knex';

/**
 * Counts what is left for the next sync of a repository, how many stories wait for a person, and since when it fails or has conflicts.
 * The index of stories by their last change finds those to be synced without reading the others.
 */
const COLUMNS = {
  left_count: 'INT UNSIGNED NOT NULL DEFAULT 0',
  conflicts: 'INT UNSIGNED NOT NULL DEFAULT 0',
  troubled_at: 'DATETIME(3) NULL',
};
const INDEX = 'stories_updated';

export async function up(knex: Knex): Promise<void> {
  for (const [name, type] of Object.entries(COLUMNS)) {
    if (!(await knex.schema.hasColumn('team_repositories', name)))
      await knex.raw(`ALTER TABLE team_repositories ADD COLUMN ${name} ${type}`);
  }
  if (!(await hasIndex(knex))) await knex.raw(`ALTER TABLE stories ADD INDEX ${INDEX} (updated_at)`);
}

export async function down(knex: Knex): Promise<void> {
  if (await hasIndex(knex)) await knex.raw(`ALTER TABLE stories DROP INDEX ${INDEX}`);
  for (const name of Object.keys(COLUMNS)) {
    if (await knex.schema.hasColumn('team_repositories', name))
      await knex.raw(`ALTER TABLE team_repositories DROP COLUMN ${name}`);
  }
}

async function hasIndex(knex: Knex): Promise<boolean> {
  const rows = await knex('information_schema.statistics')
    .whereRaw('table_schema = DATABASE()')
    .where({ table_name: 'stories', index_name: INDEX })
    .select('index_name');
  return rows.length > 0;
}
