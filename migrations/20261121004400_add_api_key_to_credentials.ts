import type { Knex } from 'knex';

/** The API key of this server that a credential of the connect flow contains. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('credentials', 'api_key_id')) return;
  await knex.raw('ALTER TABLE credentials ADD COLUMN api_key_id BIGINT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'api_key_id'))) return;
  await knex.raw('ALTER TABLE credentials DROP COLUMN api_key_id');
}
