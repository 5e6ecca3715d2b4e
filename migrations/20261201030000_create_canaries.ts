import type { Knex } from 'knex';

const TEXT = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_bin';
const ASCII = 'CHARACTER SET ascii COLLATE ascii_bin';

/**
 * Retries that begin with few dead letters (notes/runs.md, Canary retries), and their letters while they run. `claim` is the delivery while
 * the letter belongs to a retry that runs: no two of them have the same letter. `stage` is the number of stages begun.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS canaries (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NULL,
    error_kind VARCHAR(500) ${TEXT} NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    stopped_by BIGINT UNSIGNED NULL,
    stage TINYINT UNSIGNED NOT NULL DEFAULT 0,
    left_out INT UNSIGNED NOT NULL,
    waiting INT UNSIGNED NOT NULL,
    running INT UNSIGNED NOT NULL DEFAULT 0,
    passed INT UNSIGNED NOT NULL DEFAULT 0,
    failed INT UNSIGNED NOT NULL DEFAULT 0,
    skipped INT UNSIGNED NOT NULL DEFAULT 0,
    stop_reason VARCHAR(16) ${ASCII} NULL,
    stop_error VARCHAR(500) ${TEXT} NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    stopped_at DATETIME(3) NULL,
    ended_at DATETIME(3) NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    KEY canaries_ended (ended_at, id),
    KEY canaries_tenant (tenant_id, id),
    KEY canaries_story (story_id, id),
    KEY canaries_expires (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS canary_letters (
    canary_id BIGINT UNSIGNED NOT NULL,
    position INT UNSIGNED NOT NULL,
    delivery_id BIGINT UNSIGNED NOT NULL,
    claim BIGINT UNSIGNED NULL,
    generation INT UNSIGNED NOT NULL,
    retries INT UNSIGNED NULL,
    state TINYINT UNSIGNED NOT NULL DEFAULT 0,
    story_run_guid CHAR(36) ${ASCII} NULL,
    error_kind VARCHAR(160) ${TEXT} NULL,
    PRIMARY KEY (canary_id, position),
    UNIQUE KEY canary_letters_claim (claim),
    KEY canary_letters_state (canary_id, state, position)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS canary_letters');
  await knex.raw('DROP TABLE IF EXISTS canaries');
}
