import type { Knex } from 'knex';

/** The audit log contains refused requests of the queue board too; the status distinguishes them. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('audit_logs', 'status')) return;
  await knex.raw('ALTER TABLE audit_logs ADD COLUMN status SMALLINT UNSIGNED NULL AFTER request_id');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('audit_logs', 'status'))) return;
  await knex.raw('ALTER TABLE audit_logs DROP COLUMN status');
}
