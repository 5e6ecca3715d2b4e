import type { Knex } from 'knex';

/**
 * Entries of the inbox that somebody saw: one row each time. `open_key`: its key until it has ended, so that it is open once;
 * `noted_at`: when it was last seen open. `ended_after` and `ended_by`: the change that may have ended it; null: none was made.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS inbox_history (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    tenant_id BIGINT UNSIGNED NOT NULL,
    kind VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    entry_key VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    open_key VARCHAR(80) CHARACTER SET ascii COLLATE ascii_bin NULL,
    team_id BIGINT UNSIGNED NULL,
    story_id BIGINT UNSIGNED NULL,
    severity VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    count BIGINT UNSIGNED NOT NULL,
    facts TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    first_seen DATETIME(3) NULL,
    noted_at DATETIME(3) NOT NULL,
    ended_at DATETIME(3) NULL,
    ended_after VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NULL,
    ended_by BIGINT UNSIGNED NULL,
    expires_at DATETIME(3) NOT NULL,
    PRIMARY KEY (id),
    UNIQUE KEY inbox_history_open (tenant_id, kind, open_key),
    KEY inbox_history_ended (tenant_id, ended_at, id),
    KEY inbox_history_expires (expires_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS inbox_history');
}
