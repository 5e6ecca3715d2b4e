import type { Knex } from 'knex';

/**
 * The state of the live story that a draft was made of, compressed as versions are and in parts that fit the smallest
 * accepted packet. `story_version` is the live story's version. Drafts of before have none.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS draft_bases (
    draft_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    story_version BIGINT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL,
    bytes MEDIUMBLOB NOT NULL,
    PRIMARY KEY (draft_id, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS draft_bases');
}
