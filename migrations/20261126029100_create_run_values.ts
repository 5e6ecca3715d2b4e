import type { Knex } from 'knex';

/**
 * Values of the first event of each run, by which the search finds it. A digest is of value and path. The primary key
 * serves deletion with the event, the index the search.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS run_values (
    event_id BIGINT UNSIGNED NOT NULL,
    digest BINARY(10) NOT NULL,
    run_id BIGINT UNSIGNED NOT NULL,
    PRIMARY KEY (event_id, digest),
    KEY run_values_digest (digest, run_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS run_values');
}
