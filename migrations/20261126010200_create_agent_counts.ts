import type { Knex } from 'knex';

/** Statistics of agents by hour (UTC). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS agent_counts (
    agent_id BIGINT UNSIGNED NOT NULL,
    hour DATETIME NOT NULL,
    webhook_calls BIGINT UNSIGNED NOT NULL DEFAULT 0,
    events BIGINT UNSIGNED NOT NULL DEFAULT 0,
    dead_letters BIGINT UNSIGNED NOT NULL DEFAULT 0,
    handled_failures BIGINT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (agent_id, hour),
    KEY agent_counts_hour (hour)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS agent_counts');
}
