import type { Knex } from 'knex';

/** `session_id`: the session of the console that made the change; null for a key or a command. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('audit_logs', 'session_id')) return;
  await knex.raw('ALTER TABLE audit_logs ADD COLUMN session_id BIGINT UNSIGNED NULL');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('audit_logs', 'session_id'))) return;
  await knex.raw('ALTER TABLE audit_logs DROP COLUMN session_id');
}
