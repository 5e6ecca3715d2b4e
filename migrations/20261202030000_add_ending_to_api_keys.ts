import type { Knex } from 'knex';

/** Keys that expire soon are found without reading the others of their tenant. */
const INDEX = 'api_keys_ending';

export async function up(knex: Knex): Promise<void> {
  if (!(await hasIndex(knex)))
    await knex.raw(`ALTER TABLE api_keys ADD INDEX ${INDEX} (tenant_id, expires_at)`);
}

export async function down(knex: Knex): Promise<void> {
  if (await hasIndex(knex)) await knex.raw(`ALTER TABLE api_keys DROP INDEX ${INDEX}`);
}

async function hasIndex(knex: Knex): Promise<boolean> {
  const rows: unknown[] = await knex('information_schema.statistics')
    .whereRaw('table_schema = DATABASE()')
    .where({ table_name: 'api_keys', index_name: INDEX })
    .limit(1)
    .select('index_name');
  return rows.length > 0;
}
