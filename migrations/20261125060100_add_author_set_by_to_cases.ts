import type { Knex } from 'knex';

/** The user who set the case's author; null: nobody did, or older than this column (decision 0031). */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('cases', 'author_set_by_id')) return;
  await knex.raw('ALTER TABLE cases ADD COLUMN author_set_by_id BIGINT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('cases', 'author_set_by_id'))) return;
  await knex.raw('ALTER TABLE cases DROP COLUMN author_set_by_id');
}
