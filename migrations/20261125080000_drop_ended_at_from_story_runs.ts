import type { Knex } from 'knex';

/** Nothing reads or writes the end of a run: it is derived from its deliveries (decision 0018). */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('story_runs', 'ended_at'))) return;
  await knex.raw('ALTER TABLE story_runs DROP COLUMN ended_at');
}

export async function down(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('story_runs', 'ended_at')) return;
  await knex.raw('ALTER TABLE story_runs ADD COLUMN ended_at DATETIME(3) NULL AFTER response_event_id');
}
