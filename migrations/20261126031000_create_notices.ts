import type { Knex } from 'knex';

/**
 * Notices to recipients of stories and of digests: the outbox of mails and of JSON for addresses. `state`: due, sent or
 * failed; `due_at`: the next attempt, or when it ended. `lease`: the pass of a process that sends it.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS notices (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    team_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NULL,
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    channel VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    recipients LONGTEXT NOT NULL,
    content LONGTEXT NOT NULL,
    state VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'due',
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    error VARCHAR(512) NULL,
    lease CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NULL,
    due_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY notices_due (state, due_at, id),
    KEY notices_tenant (tenant_id, id),
    KEY notices_lease (lease, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS notices');
}
