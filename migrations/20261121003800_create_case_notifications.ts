import type { Knex } from 'knex';

/** The outbox: an activity that a subscriber, or a user mentioned in it, has still to hear of. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS case_notifications (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    activity_id BIGINT UNSIGNED NOT NULL,
    subscriber_id BIGINT UNSIGNED NULL,
    user_id BIGINT UNSIGNED NULL,
    state VARCHAR(8) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT 'due',
    attempts INT UNSIGNED NOT NULL DEFAULT 0,
    due_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    error VARCHAR(512) NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY case_notifications_due (state, due_at, id),
    KEY case_notifications_case (case_id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS case_notifications');
}
