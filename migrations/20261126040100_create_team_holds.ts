import type { Knex } from 'knex';

/** Transactions that add something to a team each change one of its few rows here; the team's deletion changes them all. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS team_holds (
    team_id BIGINT UNSIGNED NOT NULL,
    shard TINYINT UNSIGNED NOT NULL,
    claims INT UNSIGNED NOT NULL DEFAULT 0,
    PRIMARY KEY (team_id, shard)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS team_holds');
}
