import type { Knex } from 'knex';

/**
 * One row for each record and field, empty ones included: `sort_key` holds the value in bytes that compare as the values
 * do, NULL when empty; `full_text` the whole of a text that is longer than the key. `test_mode` is the record's, so that
 * one index serves every filter, order and count.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS record_values (
    record_id BIGINT UNSIGNED NOT NULL,
    field_id BIGINT UNSIGNED NOT NULL,
    test_mode BOOLEAN NOT NULL,
    sort_key VARBINARY(512) NULL,
    full_text LONGBLOB NULL,
    PRIMARY KEY (record_id, field_id),
    KEY record_values_key (field_id, test_mode, sort_key, record_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS record_values');
}
