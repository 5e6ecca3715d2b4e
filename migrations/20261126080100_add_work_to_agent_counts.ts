import type { Knex } from 'knex';

/** `work_ms`: the time that an agent worked for the `timed_events` of its events whose time is known. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('agent_counts', 'work_ms')) return;
  await knex.raw(`
    ALTER TABLE agent_counts
      ADD COLUMN work_ms BIGINT UNSIGNED NOT NULL DEFAULT 0,
      ADD COLUMN timed_events BIGINT UNSIGNED NOT NULL DEFAULT 0,
      ALGORITHM=INSTANT
  `);
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('agent_counts', 'work_ms'))) return;
  await knex.raw('ALTER TABLE agent_counts DROP COLUMN work_ms, DROP COLUMN timed_events');
}
