import type { Knex } from 'knex';

/** Runs whose start is counted in statistics, and whose end is not yet. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS uncounted_ends (
    run_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (run_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS uncounted_ends');
}
