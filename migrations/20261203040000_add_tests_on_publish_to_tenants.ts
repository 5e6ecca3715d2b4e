import type { Knex } from 'knex';

/** What failing tests do to publications of the tenant's stories, unless a story says otherwise; null: they warn. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('tenants', 'tests_on_publish')) return;
  await knex.raw('ALTER TABLE tenants ADD COLUMN tests_on_publish VARCHAR(8) NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('tenants', 'tests_on_publish'))) return;
  await knex.raw('ALTER TABLE tenants DROP COLUMN tests_on_publish');
}
