import type { Knex } from 'knex';

/** State rows of agents that remember (deduplicate, throttle); locked by the writer (rule 10). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS agent_memory (
    agent_id BIGINT UNSIGNED NOT NULL,
    name VARCHAR(191) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value LONGTEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
    updated_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (agent_id, name)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS agent_memory');
}
