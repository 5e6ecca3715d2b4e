import type { Knex } from 'knex';

/**
 * Runs that an action of another run has called, and all that is needed to give that action its events. Written
 * once, with the run; `path` holds the ids of the stories above it, outermost first.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS story_calls (
    story_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    caller_delivery_id BIGINT UNSIGNED NOT NULL,
    caller_run_guid CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    caller_story_id BIGINT UNSIGNED NOT NULL,
    caller_agent_id BIGINT UNSIGNED NOT NULL,
    caller_event_id BIGINT UNSIGNED NOT NULL,
    caller_depth INT UNSIGNED NOT NULL,
    caller_awaited BOOLEAN NOT NULL,
    caller_called BOOLEAN NOT NULL,
    path VARCHAR(1000) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (story_run_guid),
    KEY story_calls_delivery (caller_delivery_id),
    KEY story_calls_run (caller_run_guid)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS story_calls');
}
