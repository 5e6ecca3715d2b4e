import type { Knex } from 'knex';

/** Lines of an action's log, written together with the result they belong to. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS agent_logs (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    agent_id BIGINT UNSIGNED NOT NULL,
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    inbound_event_id BIGINT UNSIGNED NULL,
    level TINYINT UNSIGNED NOT NULL,
    message TEXT NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY agent_logs_agent (agent_id, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS agent_logs');
}
