import type { Knex } from 'knex';

/**
 * When actions start runs by themselves. `next_at` is compared and set in the transaction that starts the run; `last_at`
 * is the time that a run was last started for.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS schedules (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    cron VARCHAR(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    timezone VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    next_at DATETIME(3) NOT NULL,
    last_at DATETIME(3) NULL,
    PRIMARY KEY (id),
    KEY schedules_due (next_at),
    KEY schedules_story (story_id),
    UNIQUE KEY schedules_agent (agent_id, cron, timezone)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS schedules');
}
