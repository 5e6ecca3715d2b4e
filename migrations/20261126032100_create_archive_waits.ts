import type { Knex } from 'knex';

/** Runs that the archive looks at again: they had work left, or are due for deletion. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS archive_waits (
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    next_at DATETIME(3) NOT NULL,
    PRIMARY KEY (story_run_guid),
    KEY archive_waits_next (next_at, story_run_guid)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS archive_waits');
}
