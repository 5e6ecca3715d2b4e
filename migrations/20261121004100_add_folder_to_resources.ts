import type { Knex } from 'knex';

/** Resources stand in folders as stories do. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('resources', 'folder_id')) return;
  await knex.raw('ALTER TABLE resources ADD COLUMN folder_id BIGINT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('resources', 'folder_id'))) return;
  await knex.raw('ALTER TABLE resources DROP COLUMN folder_id');
}
