import type { Knex } from 'knex';

/**
 * How far statistics have counted each kind of rows. `after_at` counts for dead letters, which are read by time. Whoever
 * counts locks the row.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS counting_positions (
    name VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    after_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
    after_at DATETIME(3) NOT NULL DEFAULT '1970-01-02 00:00:00.000',
    PRIMARY KEY (name)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS counting_positions');
}
