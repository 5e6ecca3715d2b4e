import type { Knex } from 'knex';

/** Of a credential made by the connect flow: the key of this server that it holds. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('credentials', 'api_key_id')) return;
  await knex.raw('ALTER TABLE credentials ADD COLUMN api_key_id BIGINT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'api_key_id'))) return;
  await knex.raw('ALTER TABLE credentials DROP COLUMN api_key_id');
}
