import type { Knex } from 'knex';

/** The purpose of a resource, in words. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('resources', 'description')) return;
  await knex.raw('ALTER TABLE resources ADD COLUMN description TEXT NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('resources', 'description'))) return;
  await knex.raw('ALTER TABLE resources DROP COLUMN description');
}
