import type { Knex } from 'knex';

/** When the recipients of its story were last told that a schedule left out starts. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('schedules', 'skip_told_at')) return;
  await knex.raw('ALTER TABLE schedules ADD COLUMN skip_told_at DATETIME(3) NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('schedules', 'skip_told_at'))) return;
  await knex.raw('ALTER TABLE schedules DROP COLUMN skip_told_at');
}
