import type { Knex } from 'knex';

/** One row for each run. The guid is known before the first try, so a repeated insert is noticed (rule 3). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS story_runs (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    source VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    awaited BOOLEAN NOT NULL DEFAULT FALSE,
    response_event_id BIGINT UNSIGNED NULL,
    ended_at DATETIME(3) NULL,
    cancelled_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY story_runs_guid (guid),
    KEY story_runs_story (story_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS story_runs');
}
