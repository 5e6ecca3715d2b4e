import type { Knex } from 'knex';

/** What a resource is for, in words. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('resources', 'description')) return;
  await knex.raw('ALTER TABLE resources ADD COLUMN description TEXT NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('resources', 'description'))) return;
  await knex.raw('ALTER TABLE resources DROP COLUMN description');
}
