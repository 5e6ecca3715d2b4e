import type { Knex } from 'knex';

/**
 * What is known of monitored actions. `seen_at`: the time of the last event, or when watching began. `told_silence`: the
 * recipients know that no event followed. `told_event_id`: they know of all events up to this one.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS action_watches (
    agent_id BIGINT UNSIGNED NOT NULL,
    seen_at DATETIME(3) NOT NULL,
    last_event_id BIGINT UNSIGNED NOT NULL,
    told_event_id BIGINT UNSIGNED NOT NULL,
    told_silence BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (agent_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS action_watches');
}
