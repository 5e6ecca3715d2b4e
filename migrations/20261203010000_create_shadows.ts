import type { Knex } from 'knex';

const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/**
 * Shadows: runs of a story that go through a draft of it as trials (notes/runs.md, Shadows), and the groups of differences that they
 * found, without values. `open_draft` is the draft while the shadow goes on: a draft has one. `from_at` and `from_id` are the run
 * before its first one, `last_at` and `last_id` the last one that it took; `waiting` lists taken runs that go on. `turn` counts
 * what was stored: of two processes, one stores a turn.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS shadows (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    draft_id BIGINT UNSIGNED NOT NULL,
    open_draft BIGINT UNSIGNED NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    stopped_by BIGINT UNSIGNED NULL,
    kind VARCHAR(8) ${ASCII} NOT NULL,
    most INT UNSIGNED NOT NULL,
    percent TINYINT UNSIGNED NOT NULL,
    until_at DATETIME(3) NOT NULL,
    draft_version INT UNSIGNED NOT NULL,
    restarts INT UNSIGNED NOT NULL DEFAULT 0,
    from_at DATETIME(3) NOT NULL,
    from_id BIGINT UNSIGNED NOT NULL,
    last_at DATETIME(3) NOT NULL,
    last_id BIGINT UNSIGNED NOT NULL,
    waiting TEXT ${ASCII} NOT NULL,
    same INT UNSIGNED NOT NULL DEFAULT 0,
    different INT UNSIGNED NOT NULL DEFAULT 0,
    partial INT UNSIGNED NOT NULL DEFAULT 0,
    skipped VARCHAR(255) ${ASCII} NOT NULL DEFAULT '{}',
    left_out INT UNSIGNED NOT NULL DEFAULT 0,
    turn INT UNSIGNED NOT NULL DEFAULT 0,
    stop_reason VARCHAR(16) ${ASCII} NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    ended_at DATETIME(3) NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY shadows_open (open_draft),
    KEY shadows_draft (draft_id, id),
    KEY shadows_tenant (tenant_id, open_draft),
    KEY shadows_expires (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS shadow_differences (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    shadow_id BIGINT UNSIGNED NOT NULL,
    digest CHAR(64) ${ASCII} NOT NULL,
    action_id BIGINT UNSIGNED NULL,
    live_action_id BIGINT UNSIGNED NULL,
    action_guid VARCHAR(255) ${TEXT} NOT NULL,
    action_name VARCHAR(255) ${TEXT} NOT NULL,
    kind VARCHAR(16) ${ASCII} NOT NULL,
    path VARCHAR(500) ${TEXT} NOT NULL,
    before_type VARCHAR(8) ${ASCII} NULL,
    after_type VARCHAR(8) ${ASCII} NULL,
    runs INT UNSIGNED NOT NULL,
    first_run_at DATETIME(3) NOT NULL,
    last_run_at DATETIME(3) NOT NULL,
    examples VARCHAR(255) ${ASCII} NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY shadow_differences_group (shadow_id, digest)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS shadow_differences');
  await knex.raw('DROP TABLE IF EXISTS shadows');
}
