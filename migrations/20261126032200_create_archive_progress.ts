import type { Knex } from 'knex';

/** The place of the archive, and how far it is: one row. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS archive_progress (
    id TINYINT UNSIGNED NOT NULL,
    place VARCHAR(1024) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    after_run_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs BIGINT UNSIGNED NOT NULL DEFAULT 0,
    files BIGINT UNSIGNED NOT NULL DEFAULT 0,
    bytes BIGINT UNSIGNED NOT NULL DEFAULT 0,
    stored_at DATETIME(3) NULL,
    PRIMARY KEY (id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS archive_progress');
}
