import type { Knex } from 'knex';

const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/**
 * Promotions of stories from another tenant, their stories, and the state in which each story came, compressed as versions
 * are: the next promotion of the story is compared with it. `digest_after`: of the story's state after the promotion.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS promotions (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(255) ${TEXT} NOT NULL,
    source TEXT ${TEXT} NOT NULL,
    mapping MEDIUMTEXT ${TEXT} NOT NULL,
    reason VARCHAR(500) ${TEXT} NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    reverted_at DATETIME(3) NULL,
    reverted_by BIGINT UNSIGNED NULL,
    revert_reason VARCHAR(500) ${TEXT} NULL,
    PRIMARY KEY (id),
    KEY promotions_tenant (tenant_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS promotion_stories (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    promotion_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    source_guid VARCHAR(255) ${TEXT} NOT NULL,
    name VARCHAR(255) ${TEXT} NOT NULL,
    state VARCHAR(16) ${ASCII} NOT NULL,
    version_before BIGINT UNSIGNED NULL,
    version_after BIGINT UNSIGNED NULL,
    digest_after CHAR(64) ${ASCII} NOT NULL,
    PRIMARY KEY (id),
    KEY promotion_stories_promotion (promotion_id, id),
    KEY promotion_stories_story (story_id, id),
    KEY promotion_stories_source (team_id, source_guid(64), id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS promotion_parts (
    promotion_story_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    bytes MEDIUMBLOB NOT NULL,
    PRIMARY KEY (promotion_story_id, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of ['promotion_parts', 'promotion_stories', 'promotions'])
    await knex.raw(`DROP TABLE IF EXISTS ${table}`);
}
