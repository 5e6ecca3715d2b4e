import type { Knex } from 'knex';

/** The starts that a schedule left out last: those from `skipped_at` to `skipped_until`, and why. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('schedules', 'skipped_at')) return;
  await knex.raw(
    `ALTER TABLE schedules ADD COLUMN skipped_at DATETIME(3) NULL, ADD COLUMN skipped_until DATETIME(3) NULL,
       ADD COLUMN skipped_reason VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NULL,
       ADD KEY schedules_skipped (skipped_until)`,
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('schedules', 'skipped_at'))) return;
  await knex.raw(
    'ALTER TABLE schedules DROP KEY schedules_skipped, DROP COLUMN skipped_at, DROP COLUMN skipped_until, DROP COLUMN skipped_reason',
  );
}
