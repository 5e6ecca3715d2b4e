import type { Knex } from 'knex';

/** Values that deduplicate actions have passed on: a digest of each, numbered in order. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS deduplicated_values (
    agent_id BIGINT UNSIGNED NOT NULL,
    digest CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    seq BIGINT UNSIGNED NOT NULL,
    seen_at DATETIME(3) NOT NULL,
    PRIMARY KEY (agent_id, digest),
    KEY deduplicated_values_seq (agent_id, seq),
    KEY deduplicated_values_seen (agent_id, seen_at)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS deduplicated_values');
}
