import type { Knex } from 'knex';

/**
 * Records as they are shown: `data` is a JSON text from field id to value. `story_name` is the story's name at the time.
 * Filters and order look at `record_values`.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS records (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    record_type_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NULL,
    story_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    parent_id BIGINT UNSIGNED NULL,
    test_mode BOOLEAN NOT NULL DEFAULT FALSE,
    data LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY records_list (record_type_id, test_mode, created_at, id),
    KEY records_story (record_type_id, test_mode, story_id, created_at, id),
    KEY records_type (record_type_id, id),
    KEY records_parent (parent_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS records');
}
