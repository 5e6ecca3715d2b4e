import type { Knex } from 'knex';

/**
 * The person or the team that answers for a story, at most one of them; and what a write changed, as JSON text, in the
 * audit log (null: not recorded).
 */
const COLUMNS = [
  { table: 'stories', name: 'owner_user_id', type: 'BIGINT UNSIGNED NULL' },
  { table: 'stories', name: 'owner_team_id', type: 'BIGINT UNSIGNED NULL' },
  {
    table: 'audit_logs',
    name: 'changes',
    type: 'MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
  },
];

export async function up(knex: Knex): Promise<void> {
  for (const { table, name, type } of COLUMNS) {
    if (await knex.schema.hasColumn(table, name)) continue;
    await knex.raw(`ALTER TABLE ${table} ADD COLUMN ${name} ${type}`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const { table, name } of COLUMNS) {
    if (!(await knex.schema.hasColumn(table, name))) continue;
    await knex.raw(`ALTER TABLE ${table} DROP COLUMN ${name}`);
  }
}
