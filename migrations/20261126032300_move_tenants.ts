import type { Knex } from 'knex';

/**
 * `frozen_at`: the tenant is being moved, or was moved. `past_ids`: the ids that an action had in other installations, by
 * which groups know it. `imported_rows`: ids of rows whose statistics were counted elsewhere; of dead letters those that
 * had failed up to `counted_until`.
 */
export async function up(knex: Knex): Promise<void> {
  if (!(await knex.schema.hasColumn('tenants', 'frozen_at'))) {
    await knex.raw('ALTER TABLE tenants ADD COLUMN frozen_at DATETIME(3) NULL');
  }
  if (!(await knex.schema.hasColumn('agents', 'past_ids'))) {
    await knex.raw(
      'ALTER TABLE agents ADD COLUMN past_ids VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NULL',
    );
  }
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS imported_rows (
    table_name VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    first_id BIGINT UNSIGNED NOT NULL,
    last_id BIGINT UNSIGNED NOT NULL,
    counted_until DATETIME(3) NULL,
    PRIMARY KEY (table_name, first_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS imported_rows');
  if (await knex.schema.hasColumn('agents', 'past_ids')) {
    await knex.raw('ALTER TABLE agents DROP COLUMN past_ids');
  }
  if (await knex.schema.hasColumn('tenants', 'frozen_at')) {
    await knex.raw('ALTER TABLE tenants DROP COLUMN frozen_at');
  }
}
