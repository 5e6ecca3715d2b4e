import type { Knex } from 'knex';

/** Events flow from source to receiver; `secondary` is the no-match branch. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS links (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    source_agent_id BIGINT UNSIGNED NOT NULL,
    receiver_agent_id BIGINT UNSIGNED NOT NULL,
    link_type VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NULL,
    extra LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    PRIMARY KEY (id),
    KEY links_story (story_id, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS links');
}
