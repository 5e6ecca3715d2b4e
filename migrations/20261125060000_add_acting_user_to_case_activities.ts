import type { Knex } from 'knex';

/** The user who acted, if the activity shows another user as its author; null: older than this column (decision 0031). */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('case_activities', 'acting_user_id')) return;
  await knex.raw('ALTER TABLE case_activities ADD COLUMN acting_user_id BIGINT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('case_activities', 'acting_user_id'))) return;
  await knex.raw('ALTER TABLE case_activities DROP COLUMN acting_user_id');
}
