import type { Knex } from 'knex';

/**
 * The columns of a record type. `source` tells the two default fields from those of the type's own; `complete` says
 * that every record of the type has a row in `record_values` for this field (decision 0006).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS record_fields (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    record_type_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    result_type VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    fixed_values LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    source VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'custom',
    complete BOOLEAN NOT NULL DEFAULT TRUE,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY record_fields_type (record_type_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS record_fields');
}
