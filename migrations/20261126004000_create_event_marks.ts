import type { Knex } from 'knex';

/**
 * Events that are no plain output: the error of an action that failed for good, or an event that was emitted again by
 * hand. A table of its own, so that plain events need no further column.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS event_marks (
    event_id BIGINT UNSIGNED NOT NULL,
    story_id BIGINT UNSIGNED NOT NULL,
    agent_id BIGINT UNSIGNED NOT NULL,
    failure BOOLEAN NOT NULL,
    reemitted BOOLEAN NOT NULL,
    PRIMARY KEY (event_id),
    KEY event_marks_story (story_id, reemitted, event_id),
    KEY event_marks_agent (agent_id, reemitted, event_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS event_marks');
}
