import type { Knex } from 'knex';

/** The time of deactivation: the keys of the user are refused, earlier entries keep the name. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('users', 'deactivated_at')) return;
  await knex.raw('ALTER TABLE users ADD COLUMN deactivated_at DATETIME(3) NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('users', 'deactivated_at'))) return;
  await knex.raw('ALTER TABLE users DROP COLUMN deactivated_at');
}
