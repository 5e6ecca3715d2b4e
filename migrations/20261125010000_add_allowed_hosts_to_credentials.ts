import type { Knex } from 'knex';

/** The hosts that a credential may be sent to, as a JSON list of patterns; null: any host (decision 0026). */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('credentials', 'allowed_hosts')) return;
  await knex.raw('ALTER TABLE credentials ADD COLUMN allowed_hosts TEXT NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('credentials', 'allowed_hosts'))) return;
  await knex.raw('ALTER TABLE credentials DROP COLUMN allowed_hosts');
}
