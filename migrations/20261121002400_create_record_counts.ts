import type { Knex } from 'knex';

/** How many records a type has, over a few rows (shards) so that writers do not wait for each other. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS record_counts (
    record_type_id BIGINT UNSIGNED NOT NULL,
    test_mode BOOLEAN NOT NULL,
    shard TINYINT UNSIGNED NOT NULL,
    records BIGINT NOT NULL,
    PRIMARY KEY (record_type_id, test_mode, shard)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS record_counts');
}
