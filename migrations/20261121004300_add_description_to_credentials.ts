import type { Knex } from 'knex';

/** The purpose of a credential, in words. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('credentials', 'description')) return;
  await knex.raw('ALTER TABLE credentials ADD COLUMN description TEXT NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'description'))) return;
  await knex.raw('ALTER TABLE credentials DROP COLUMN description');
}
