import type { Knex } from 'knex';

/** `last_run_guid`: the run that was started at `last_at`. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('schedules', 'last_run_guid')) return;
  await knex.raw(
    'ALTER TABLE schedules ADD COLUMN last_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('schedules', 'last_run_guid'))) return;
  await knex.raw('ALTER TABLE schedules DROP COLUMN last_run_guid');
}
