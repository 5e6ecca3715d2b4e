import type { Knex } from 'knex';

/** Since when a person has a schedule paused; null: it starts runs. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('schedules', 'paused_at')) return;
  await knex.raw('ALTER TABLE schedules ADD COLUMN paused_at DATETIME(3) NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('schedules', 'paused_at'))) return;
  await knex.raw('ALTER TABLE schedules DROP COLUMN paused_at');
}
