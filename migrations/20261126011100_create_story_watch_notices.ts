import type { Knex } from 'knex';

/** When recipients of a story were last told of its monitored actions. Rows of a day ago are deleted. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS story_watch_notices (
    story_id BIGINT UNSIGNED NOT NULL,
    tried_at DATETIME(3) NOT NULL,
    PRIMARY KEY (story_id),
    KEY story_watch_notices_tried (tried_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS story_watch_notices');
}
