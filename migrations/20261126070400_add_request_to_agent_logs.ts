import type { Knex } from 'knex';

/** `request`: the HTTP request that a failed attempt sent, as JSON without secrets (decision 0088); null: none was kept. */
export async function up(knex: Knex): Promise<void> {
  if (await knex.schema.hasColumn('agent_logs', 'request')) return;
  await knex.raw(
    'ALTER TABLE agent_logs ADD COLUMN request MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL, ALGORITHM=INSTANT',
  );
}

export async function down(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('agent_logs', 'request'))) return;
  await knex.raw('ALTER TABLE agent_logs DROP COLUMN request');
}
