import type { Knex } from 'knex';

/**
 * A line of a log about a failed attempt has the delivery, the number of the attempt, how long it took, the status, the
 * cause and the response (notes/runs.md, Failed attempts). A delivery has the cause of its last one.
 */
const LOG_COLUMNS = {
  delivery_id: 'BIGINT UNSIGNED NULL',
  attempt: 'INT UNSIGNED NULL',
  work_ms: 'INT UNSIGNED NULL',
  status: 'SMALLINT UNSIGNED NULL',
  cause: 'VARCHAR(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
  response: 'MEDIUMTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL',
};
const INDEX = 'agent_logs_delivery';
const CAUSE = 'VARCHAR(250) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL';

export async function up(knex: Knex): Promise<void> {
  const missing: string[] = [];
  for (const [name, type] of Object.entries(LOG_COLUMNS)) {
    if (!(await knex.schema.hasColumn('agent_logs', name))) missing.push(`ADD COLUMN ${name} ${type}`);
  }
  if (missing.length > 0) await knex.raw(`ALTER TABLE agent_logs ${missing.join(', ')}`);
  if (!(await hasIndex(knex))) await knex.raw(`ALTER TABLE agent_logs ADD INDEX ${INDEX} (delivery_id, id)`);
  if (await knex.schema.hasColumn('deliveries', 'cause')) return;
  await knex.raw(`ALTER TABLE deliveries ADD COLUMN cause ${CAUSE}`);
}

export async function down(knex: Knex): Promise<void> {
  if (await hasIndex(knex)) await knex.raw(`ALTER TABLE agent_logs DROP INDEX ${INDEX}`);
  for (const name of Object.keys(LOG_COLUMNS)) {
    if (await knex.schema.hasColumn('agent_logs', name))
      await knex.raw(`ALTER TABLE agent_logs DROP COLUMN ${name}`);
  }
  if (await knex.schema.hasColumn('deliveries', 'cause'))
    await knex.raw('ALTER TABLE deliveries DROP COLUMN cause');
}

async function hasIndex(knex: Knex): Promise<boolean> {
  const found: unknown = await knex('information_schema.statistics')
    .whereRaw('table_schema = DATABASE()')
    .where({ table_name: 'agent_logs', index_name: INDEX })
    .first('index_name');
  return found !== undefined;
}
