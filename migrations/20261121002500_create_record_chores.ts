import type { Knex } from 'knex';

/**
 * Work on many records that is left to the maintenance worker: `remove_field` (its values), `fill_field` (rows for the
 * records that are older than the field, up to `until_id`; done up to `done_id`), `remove_type` (its records).
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS record_chores (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    record_type_id BIGINT UNSIGNED NOT NULL,
    field_id BIGINT UNSIGNED NULL,
    done_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    until_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY record_chores_kind (kind, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS record_chores');
}
