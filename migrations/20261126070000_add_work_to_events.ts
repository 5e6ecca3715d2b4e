import type { Knex } from 'knex';

/** `work_ms`: how long the action worked that emitted the event; null for the input of a run, and for events from before. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('events', 'work_ms')) return;
  await knex.raw('ALTER TABLE events ADD COLUMN work_ms INT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('events', 'work_ms'))) return;
  await knex.raw('ALTER TABLE events DROP COLUMN work_ms');
}
