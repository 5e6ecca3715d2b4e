import type { Knex } from 'knex';

/** The language of the templates in a step: stories in the other one cannot use it. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('steps', 'language')) return;
  await knex.raw("ALTER TABLE steps ADD COLUMN language VARCHAR(8) NOT NULL DEFAULT 'formula'");
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('steps', 'language'))) return;
  await knex.raw('ALTER TABLE steps DROP COLUMN language');
}
