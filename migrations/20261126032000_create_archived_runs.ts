import type { Knex } from 'knex';

/** The part of each stored run that the archive has: retention deletes no more than that. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS archived_runs (
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    last_event_id BIGINT UNSIGNED NOT NULL,
    last_log_id BIGINT UNSIGNED NOT NULL,
    events INT UNSIGNED NOT NULL,
    archived_at DATETIME(3) NOT NULL,
    PRIMARY KEY (story_run_guid)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS archived_runs');
}
