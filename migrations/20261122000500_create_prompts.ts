import type { Knex } from 'knex';

/**
 * Links in messages that send an action's event once more (exports: `{% prompt %}`). `used_by`: the click that used
 * the link up, so that it can tell after a lost answer to COMMIT.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS prompts (
    id CHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    event_id BIGINT UNSIGNED NOT NULL,
    awaited BOOLEAN NOT NULL,
    called BOOLEAN NOT NULL,
    depth INT UNSIGNED NOT NULL,
    status VARCHAR(255) NOT NULL,
    expires_at DATETIME(3) NOT NULL,
    used_at DATETIME(3) NULL,
    used_by CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY prompts_expiry (expires_at),
    KEY prompts_event (event_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS prompts');
}
