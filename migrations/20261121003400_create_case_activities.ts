import type { Knex } from 'knex';

/** Activities of a case; a comment is an activity too (spec §7.5). */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE IF NOT EXISTS case_activities (
    id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT,
    case_id BIGINT UNSIGNED NOT NULL,
    activity_type VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    value MEDIUMTEXT NOT NULL,
    user_id BIGINT UNSIGNED NOT NULL,
    created_at DATETIME(3) NOT NULL DEFAULT CURRENT_TIMESTAMP(3),
    PRIMARY KEY (id),
    KEY case_activities_case (case_id, id),
    KEY case_activities_case_type (case_id, activity_type, id)
    ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_520_ci
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE IF EXISTS case_activities');
}
