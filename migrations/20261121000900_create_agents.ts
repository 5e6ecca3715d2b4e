import type { Knex } from 'knex';

/** The actions of a story. `webhook_path` is unique on the server (spec §4.1). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS agents (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    type VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name VARCHAR(255) NOT NULL,
    guid CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    disabled BOOLEAN NOT NULL DEFAULT FALSE,
    options LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    keep_events_for INT UNSIGNED NOT NULL DEFAULT 0,
    webhook_path VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NULL,
    extra LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    UNIQUE KEY agents_guid (guid),
    UNIQUE KEY agents_webhook_path (webhook_path),
    KEY agents_story (story_id, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS agents');
}
