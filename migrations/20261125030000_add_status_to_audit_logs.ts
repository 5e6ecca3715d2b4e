import type { Knex } from 'knex';

/** What the queue board was asked for and refused is in the audit log too; the status tells it from what was done. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('audit_logs', 'status')) return;
  await knex.raw('ALTER TABLE audit_logs ADD COLUMN status SMALLINT UNSIGNED NULL AFTER request_id');
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('audit_logs', 'status'))) return;
  await knex.raw('ALTER TABLE audit_logs DROP COLUMN status');
}
