import type { Knex } from 'knex';

/** Statistics of stories by minute (UTC), for a few hours. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS story_minutes (
    story_id BIGINT UNSIGNED NOT NULL,
    minute DATETIME NOT NULL,
    runs_started BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_ended BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_failed BIGINT UNSIGNED NOT NULL DEFAULT 0,
    runs_cancelled BIGINT UNSIGNED NOT NULL DEFAULT 0,
    webhook_calls BIGINT UNSIGNED NOT NULL DEFAULT 0,
    events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    dead_letters BIGINT UNSIGNED NOT NULL DEFAULT 0,
    handled_failures BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (story_id, minute),
    KEY story_minutes_minute (minute)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS story_minutes');
}
