import type { Knex } from 'knex';

/** `reason`: why a change was made, if its request says so. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('audit_logs', 'reason')) return;
  await knex.raw(
    'ALTER TABLE audit_logs ADD COLUMN reason VARCHAR(500) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('audit_logs', 'reason'))) return;
  await knex.raw('ALTER TABLE audit_logs DROP COLUMN reason');
}
