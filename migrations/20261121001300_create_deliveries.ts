import type { Knex } from 'knex';

/** A row exists exactly while its work is pending, rests, or has failed for good: the row is the token. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS deliveries (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    event_id BIGINT UNSIGNED NOT NULL,
    queue VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'pending',
    awaited BOOLEAN NOT NULL DEFAULT FALSE,
    depth INT UNSIGNED NOT NULL,
    generation INT UNSIGNED NOT NULL DEFAULT 0,
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    losses INT UNSIGNED NOT NULL DEFAULT 0,
    retries INT UNSIGNED NOT NULL DEFAULT 0,
    due_at DATETIME(3) NOT NULL,
    error TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NULL,
    failed_at DATETIME(3) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY deliveries_due (state, due_at, id),
    KEY deliveries_run (story_run_guid)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS deliveries');
}
