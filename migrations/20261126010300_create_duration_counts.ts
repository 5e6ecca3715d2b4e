import type { Knex } from 'knex';

/** Runs of a story that ended in an hour (UTC), by the length of their time: bucket n holds those up to 2^(n/2) ms. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS duration_counts (
    story_id BIGINT UNSIGNED NOT NULL,
    hour DATETIME NOT NULL,
    bucket TINYINT UNSIGNED NOT NULL,
    runs BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (story_id, hour, bucket),
    KEY duration_counts_hour (hour)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS duration_counts');
}
